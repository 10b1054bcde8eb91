"""What cores did, by recorded lines of the kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.runtime.machine.core_seconds import CoreSeconds, core_seconds

STAT = """\
cpu  900 0 300 9000 100 30 30 140 50 0
cpu0 400 0 100 4000 50 10 10 100 50 0
cpu1 200 0 100 4000 50 10 10 40 0 0
intr 12
"""
# user + nice + system + irq + softirq + steal, in ticks of 10 ms; guests are in user already.


@pytest.fixture
def stat(tmp_path: Path) -> Path:
    path = tmp_path / "stat"
    path.write_text(STAT)
    return path


@pytest.fixture(autouse=True)
def ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webdyno.runtime.machine.core_seconds.os.sysconf", lambda _name: 100)


def test_busy_and_stolen_time_of_the_cores_asked_for(stat: Path) -> None:
    assert core_seconds([0], stat=stat) == CoreSeconds(6.2, 1.0)
    assert core_seconds([0, 1], stat=stat) == CoreSeconds(9.8, 1.4)
    assert core_seconds([0], interrupts=False, stat=stat) == CoreSeconds(6.0, 1.0)


def test_nothing_is_known_of_cores_that_are_numbered_anew(stat: Path) -> None:
    assert core_seconds([1, 3], stat=stat) is None
    assert core_seconds([0], stat=stat.with_name("none")) is None


def test_what_was_added_since_is_told() -> None:
    assert CoreSeconds(9.0, 2.0).since(CoreSeconds(4.0, 1.5)) == CoreSeconds(5.0, 0.5)
    assert CoreSeconds(1.0, 0.5).plus(CoreSeconds(2.0, 0.25)) == CoreSeconds(3.0, 0.75)
