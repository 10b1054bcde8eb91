"""A busy machine is told where two running services are compared."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from webdyno.ab.bystanders import Bystanders

pytestmark = pytest.mark.slow


def watched(seconds: float, *services: int | None) -> str:
    bystanders = Bystanders(services)
    bystanders.begin()
    time.sleep(seconds)
    bystanders.end()
    return bystanders.told()


def test_programs_that_take_part_are_none_and_others_are_told() -> None:
    spins = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(spins) for _ in os.sched_getaffinity(0)]
    try:
        time.sleep(0.3)
        assert "other programs used " in watched(1.0, os.getpid())
        assert watched(1.0, os.getpid(), None) == ""
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_the_services_own_time_is_not_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "webdyno.ab.bystanders.busy_seconds", lambda _cpus, **_options: time.process_time()
    )
    bystanders = Bystanders([os.getpid()])
    bystanders.begin()
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass
    bystanders.end()
    assert bystanders.told() == ""
