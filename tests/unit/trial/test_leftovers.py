"""A server is waited for until it has worked off what a load left behind."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.trial import leftovers
from webdyno.trial.leftovers import LOOK_S, work_off

BUSY = """
import sys, time
print(flush=True)
until = time.process_time() + float(sys.argv[1])
while time.process_time() < until:
    pass
time.sleep(60)
"""


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[int]:
    """A process that works for so many seconds of CPU time, and then rests."""
    command = [sys.executable, "-c", BUSY, str(request.param)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        process.kill()


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each of the looks at a server was meant to take."""
    sleep, asked = time.sleep, list[float]()

    def counted(seconds: float) -> None:
        asked.append(seconds)
        sleep(seconds)

    monkeypatch.setattr("webdyno.trial.leftovers.time.sleep", counted)
    return asked


@pytest.mark.slow
@pytest.mark.parametrize("server", [0.3], indirect=True)
def test_it_is_waited_for_while_it_works(server: int) -> None:
    assert work_off(server) > 0.25


@pytest.mark.parametrize("server", [0], indirect=True)
def test_one_at_rest_is_not_waited_for(server: int, looks: list[float]) -> None:
    work_off(server)
    looks.clear()
    work_off(server)
    assert len(looks) == 1


@pytest.mark.parametrize("server", [60], indirect=True)
def test_one_that_never_rests_is_not_waited_for_longer(
    server: int, looks: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leftovers, "MOST_S", 2 * LOOK_S)
    assert work_off(server) >= 2 * LOOK_S
    assert len(looks) <= 2


@pytest.mark.parametrize("server", [60], indirect=True)
def test_one_that_gets_no_core_is_waited_for(server: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TreeClock, "seconds", lambda _: 0.0)
    monkeypatch.setattr(leftovers, "MOST_S", 2 * LOOK_S)
    assert work_off(server) >= 2 * LOOK_S


def test_one_that_has_ended_is_at_rest(looks: list[float]) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        work_off(process.pid)
    assert len(looks) == 1
