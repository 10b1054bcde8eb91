"""A server on whose port another program listens: wrong answers there are no lie of its."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.trial.assessment import reasons
from webdyno.trial.proof.lie import lie_of
from webdyno.trial.starting.start import TRIAL_VARIABLE, mark_of
from webdyno.trial.state import TrialState
from webdyno.trial.watching.listeners import FOREIGN, foreign_listener
from webdyno.verifier import Mismatch

LISTENS = """
import socket, sys, time
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
s.bind(("127.0.0.1", int(sys.argv[1])))
s.listen()
print(s.getsockname()[1], flush=True)
time.sleep(60)
"""
PLAN: Any = SimpleNamespace(run_id="a run")
WRONG = Mismatch("not proven: the digest is right", seen="another")


@contextmanager
def listening(port: int = 0, **env: str) -> Iterator[Any]:
    """A server as a trial knows it, at `port` or one that is free, beside others that are there."""
    asked = [sys.executable, "-c", LISTENS, str(port)]
    with subprocess.Popen(
        asked, stdout=subprocess.PIPE, text=True, env={**os.environ, **env}
    ) as process:
        assert process.stdout is not None
        here = int(process.stdout.readline())
        family = SimpleNamespace(alive=lambda: [process.pid], stopped=lambda: False)
        try:
            yield SimpleNamespace(
                process=SimpleNamespace(pid=process.pid, family=family, exit_code=lambda: None),
                port=here,
                address="127.0.0.1",
                end=lambda: (process.kill(), process.wait()),
            )
        finally:
            process.kill()


def test_a_server_alone_on_its_port_lies() -> None:
    with listening() as server:
        state = TrialState(server=server)
        assert foreign_listener(PLAN, server) is None
        assert lie_of(PLAN, state, WRONG) == str(WRONG)


def test_a_worker_that_is_started_while_its_port_is_looked_at_is_no_other_program() -> None:
    with listening() as server, listening(server.port) as worker:
        family = server.process.family
        known = iter([family.alive(), [*family.alive(), worker.process.pid]])
        family.alive = lambda: next(known)
        assert foreign_listener(PLAN, server) is None


def test_a_worker_that_has_ended_meanwhile_is_no_other_program() -> None:
    with listening() as server, listening(server.port) as worker:
        known = [server.process.pid]

        def alive() -> list[int]:
            if asked:
                worker.end()
            asked.append(True)
            return known

        asked: list[bool] = []
        server.process.family.alive = alive
        assert foreign_listener(PLAN, server) is None
        assert len(asked) == 2


@pytest.mark.parametrize("ours", [True, False])
def test_a_server_whose_port_was_stolen_does_not(ours: bool) -> None:
    run = PLAN.run_id if ours else "another run"
    with (
        listening() as server,
        listening(server.port, **{TRIAL_VARIABLE: f"{mark_of(run)}12345678"}) as thief,
    ):
        state = TrialState(server=server)
        assert lie_of(PLAN, state, WRONG) == ""
        told = reasons.of_mismatch(PLAN, state, WRONG)
        assert told.startswith(f"process {thief.process.pid} (python")
        assert ("of another server of this run" in told) is ours
        flag = foreign_listener(PLAN, server)
        assert flag is not None
    # The thief has gone, but was seen during the load.
    with listening() as server:
        state = TrialState(server=server, flags=[flag])
        assert flag.code == FOREIGN
        assert lie_of(PLAN, state, WRONG) == ""
        assert reasons.of_mismatch(PLAN, state, WRONG) == told
