"""A server that goes on while it is stopped for others' turns: real processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from webdyno.runtime.processes.process import ManagedProcess, plain_environment
from webdyno.trial.turn_taking.neighbours import Neighbour, Neighbours
from webdyno.trial.watching import standstill
from webdyno.trial.watching.standstill import WORKED, Standstill
from webdyno.trial.watching.watch import NOT_RANKED

BUSY = "print('ready', flush=True)\nwhile True: sum(range(1000))"


def told(tmp_path: Path, turns: int, wakes: bool) -> list[str]:
    """The codes of what is said of a busy server over so many turns of others at most: on a busy
    machine it comes to its core in few of them. `wakes`: by a signal, as a timer of its would."""
    process = ManagedProcess.start(
        [sys.executable, "-c", BUSY],
        name="server",
        cwd=tmp_path,
        env=plain_environment(),
        log=tmp_path / "log",
    )
    try:
        while "ready" not in process.log_tail():
            time.sleep(0.01)
        one = Neighbour("server", 0, process.family)
        still = Standstill(process, one, Neighbours())
        for _ in range(turns):
            process.freeze()
            process.hold()
            with still.watched():
                if wakes:
                    os.kill(process.pid, signal.SIGCONT)
                time.sleep(0.1)
            process.thaw()
            if found := still.flags():
                return [flag.code for flag in found]
        return []
    finally:
        process.stop()


@pytest.mark.slow
def test_a_server_that_is_stopped_stands_still(tmp_path: Path) -> None:
    assert told(tmp_path, turns=3, wakes=False) == []


@pytest.mark.slow
def test_one_that_wakes_itself_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine lets it have but little.
    for name, least in (("EACH_S", 0.0002), ("LEAST_S", 0.001), ("PART", 0.0)):
        monkeypatch.setattr(standstill, name, least)
    assert told(tmp_path, turns=100, wakes=True) == [WORKED]
    assert WORKED in NOT_RANKED
