"""A server is waited for until it has worked off what a load left behind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from webdyno.trial import leftovers
from webdyno.trial.leftovers import work_off

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


@pytest.mark.slow
@pytest.mark.parametrize("server", [0.3], indirect=True)
def test_it_is_waited_for_while_it_works(server: int) -> None:
    assert work_off(server) > 0.25


@pytest.mark.parametrize("server", [0], indirect=True)
def test_one_at_rest_is_not_waited_for(server: int) -> None:
    work_off(server)
    assert work_off(server) < 0.25


@pytest.mark.parametrize("server", [60], indirect=True)
def test_one_that_never_rests_is_not_waited_for_longer(
    server: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leftovers, "MOST_S", 0.1)
    assert 0.1 <= work_off(server) < 2


def test_one_that_has_ended_is_at_rest() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        assert work_off(process.pid) < 0.25
