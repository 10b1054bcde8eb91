"""What is told of a run's machine."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from webdyno.report.text import facts


def test_each_time_has_the_unit_that_suits_it() -> None:
    late = {"timer_late_us_p50": 56.2, "timer_late_us_p99": 20236.0, "timer_late_us_max": 3.1e6}
    machine = SimpleNamespace(as_stored=lambda: {"noise": late})
    run: Any = SimpleNamespace(machine=machine)
    assert [fact.value for fact in facts.noise(run)] == ["56.2 µs", "20.2 ms", "3.10 s"]
