"""Servers that connect to others which stand still for their turns: real sockets and processes."""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.trial.proof.lie import lie_of
from webdyno.trial.state import TrialState
from webdyno.trial.turn_taking.neighbours import (
    CALLED,
    CALLS,
    MEETS,
    Neighbour,
    Neighbours,
    flags_of,
)
from webdyno.trial.watching.watch import NOT_RANKED
from webdyno.verifier import Mismatch

LISTENS = """
import socket, sys, time
tcp = socket.create_server(("127.0.0.1", 0))
other = socket.create_server(("127.0.0.1", 0))
own = socket.create_connection(other.getsockname())
unix = socket.socket(socket.AF_UNIX)
unix.bind(sys.argv[1])
unix.listen()
print(tcp.getsockname()[1], other.getsockname()[1], flush=True)
time.sleep(60)
"""
CONNECTS = """
import socket, sys, time
connected = socket.socket(socket.AF_INET if sys.argv[1].isdigit() else socket.AF_UNIX)
connected.connect(("127.0.0.1", int(sys.argv[1])) if sys.argv[1].isdigit() else sys.argv[1])
print("connected", flush=True)
time.sleep(60)
"""


@contextmanager
def running(code: str, argument: str) -> Iterator[tuple[int, list[str]]]:
    """A Python program; its process id, and the words that it told first."""
    asked = [sys.executable, "-c", code, argument]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.pid, process.stdout.readline().split()
        finally:
            process.kill()


def of(entry: str, pid: int, port: int = 0, by_us: bool = True) -> Neighbour:
    return Neighbour(entry, port, SimpleNamespace(alive=lambda: [pid]), by_us)


class Stage:
    """A server that stands still and never accepts, beside others."""

    def __init__(self, pid: int, ports: list[str], path: str) -> None:
        self.port, self.internal = map(int, ports)
        self.path = path
        self.one = of("still", pid, self.port)
        self.among = Neighbours()
        self.among.meet(self.one)

    def codes(self, other: Neighbour | None = None) -> list[str]:
        """What is said of it, or of the other, when it goes on."""
        self.among.goes_on(self.one)
        return [flag.code for flag in flags_of(other or self.one)]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    path = str(tmp_path / "socket")
    with running(LISTENS, path) as (pid, ports):
        yield Stage(pid, ports, path)


def test_connections_of_the_load_are_nobody_s_fault(stage: Stage) -> None:
    with (
        socket.create_connection(("127.0.0.1", stage.port)),
        # What waited before is no matter, whoever made it.
        running(CONNECTS, str(stage.port)),
    ):
        stage.among.stands(stage.one)
        with socket.create_connection(("127.0.0.1", stage.port)):
            assert stage.codes() == []
            # Awake, anybody may connect.
            with running(CONNECTS, str(stage.port)):
                assert stage.codes() == []


def test_a_stranger_is_seen_behind_connections_of_the_load_that_wait(stage: Stage) -> None:
    with socket.create_connection(("127.0.0.1", stage.port)):
        stage.among.stands(stage.one)
        with running(CONNECTS, str(stage.port)) as (pid, _):
            caller = of("caller", pid)
            stage.among.meet(caller)
            assert stage.codes() == [CALLED]
            assert [flag.code for flag in flags_of(caller)] == [CALLS]


@pytest.mark.parametrize("way", ["internal", "path"])
def test_a_connection_between_its_own_processes_is_nobody_s_fault(stage: Stage, way: str) -> None:
    stage.among.stands(stage.one)
    with running(CONNECTS, str(getattr(stage, way))) as (pid, _):
        still = stage.one.family.alive()
        stage.one.family = SimpleNamespace(alive=lambda: [*still, pid])
        assert stage.codes() == []


@pytest.mark.parametrize(("way", "code"), [("port", CALLS), ("internal", MEETS), ("path", MEETS)])
def test_a_server_that_connects_to_one_that_stands_still_is_told(
    stage: Stage, way: str, code: str
) -> None:
    stage.among.stands(stage.one)
    with running(CONNECTS, str(getattr(stage, way))) as (pid, _):
        caller = of("caller", pid)
        stage.among.meet(caller)
        stage.among.stands(caller)
        assert [flag.code for flag in flags_of(caller)] == [code]
        (flag,) = flags_of(stage.one)
        assert flag.code == CALLED
        assert "1 connections" not in flag.message
        assert "caller opened" in flag.message
        assert {CALLED, code} <= NOT_RANKED
        # It stays no more than once that it came.
        stage.among.stands(caller)
        assert stage.one.came == 1


def test_a_connection_that_is_closed_at_once_is_told_all_the_same(stage: Stage) -> None:
    stage.among.stands(stage.one)
    gone = socket.create_connection(("127.0.0.1", stage.port))
    gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    gone.close()
    assert stage.codes() == [CALLED]
    assert "a program that hung up at once opened" in flags_of(stage.one)[0].message


def test_one_that_refused_connections_may_see_some_of_them_again(tmp_path: Path) -> None:
    """The kernel of the load's machine repeats them, even after they were closed."""
    busy = LISTENS.replace("0))", "0), backlog=0)")
    with running(busy, str(tmp_path / "socket")) as (pid, ports):
        stage = Stage(pid, ports, "")
        tried = [socket.socket() for _ in range(3)]
        for one in tried:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", stage.port))
        stage.among.stands(stage.one)
        assert stage.one.refused
        stage.one.waits = dict.fromkeys(stage.one.waits, 0)
        for one in tried:
            one.close()
        assert stage.codes() == []


def test_a_program_outside_the_run_is_named(stage: Stage) -> None:
    stage.among.stands(stage.one)
    with running(CONNECTS, str(stage.port)) as (pid, _):
        assert stage.codes() == [CALLED]
        assert f"process {pid} (python" in flags_of(stage.one)[0].message


def test_where_others_make_the_load_only_servers_of_the_run_are_strangers(stage: Stage) -> None:
    stage.one.by_us = False
    stage.among.stands(stage.one)
    with running(CONNECTS, str(stage.port)) as (pid, _):
        assert stage.codes() == []
        caller = of("caller", pid)
        stage.among.meet(caller)
        stage.among.stands(stage.one)
        with running(CONNECTS, str(stage.port)) as (again, _):
            caller.family = SimpleNamespace(alive=lambda: [again])
            assert stage.codes() == [CALLED]


def test_who_connects_after_the_load_is_told_and_harms_nobody(stage: Stage) -> None:
    stage.one.is_done = True
    stage.among.stands(stage.one)
    with running(CONNECTS, str(stage.port)) as (pid, _):
        caller = of("caller", pid)
        stage.among.meet(caller)
        assert stage.codes() == []
        assert [flag.code for flag in flags_of(caller)] == [CALLS]


def test_one_has_lied_and_the_other_has_not(stage: Stage) -> None:
    stage.among.stands(stage.one)
    with running(CONNECTS, str(stage.port)) as (pid, _):
        caller = of("caller", pid)
        stage.among.meet(caller)
        stage.among.goes_on(stage.one)
        server: Any = SimpleNamespace(
            process=SimpleNamespace(exit_code=lambda: None, family=stage.one.family),
            port=stage.port,
            address="127.0.0.1",
        )
        wrong = Mismatch("too much was written", seen="another")
        plan: Any = None

        def state(one: Neighbour) -> TrialState:
            return TrialState(server=server, flags=flags_of(one))

        assert lie_of(plan, state(stage.one), wrong) == ""
        assert "it connected to still" in lie_of(plan, state(caller))
