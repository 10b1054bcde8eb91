"""What a program takes beyond what it was given: real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from webdyno.runtime.confinement.conduct import Conduct, conduct_of
from webdyno.runtime.proc import name_of
from webdyno.runtime.processes.listening import on_all_addresses, strangers_on
from webdyno.runtime.processes.threads import NamedThreads
from webdyno.trial.watching.hidden_processes import first_hidden_process


@contextmanager
def running(program: str) -> Iterator[tuple[int, str]]:
    code = f"import os, socket, time, threading\n{program}\ntime.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield process.pid, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_an_ordinary_program_does_nothing_of_the_kind() -> None:
    with running("print(flush=True)") as (pid, _):
        assert conduct_of([pid], os.sched_getaffinity(0)) == Conduct()


def test_a_name_that_is_cut_off_within_a_letter_is_read_like_any_other() -> None:
    """The kernel keeps fifteen bytes of a thread's name."""
    name = "обработчик".encode()[:15]
    named = f"import ctypes; ctypes.CDLL(None).prctl(15, {name!r}); print(flush=True)"
    with running(named) as (pid, _):
        assert conduct_of([pid], os.sched_getaffinity(0)) == Conduct()
        assert name_of(pid) == "обработ\ufffd"
        assert NamedThreads(pid, ["обработ\ufffd"]).seconds()[0] > 0
        assert first_hidden_process([pid]) is None


def test_cores_that_were_not_given_are_named() -> None:
    cpus = sorted(os.sched_getaffinity(0))
    with running("print(flush=True)") as (pid, _):
        assert conduct_of([pid], cpus[1:]).cores == {cpus[0]}


def test_a_thread_that_pushes_in_front_of_others_is_told() -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with running("os.nice(5); print(flush=True)") as (pid, _):
        assert conduct_of([pid], os.sched_getaffinity(0)) == Conduct()  # It stands back.
        if os.geteuid() == 0:
            os.setpriority(os.PRIO_PROCESS, pid, own - 5)
            seen = conduct_of([pid], os.sched_getaffinity(0)).priority
            assert seen == f"a thread runs at nice {own - 5} instead of {own}"


LISTEN = "s = socket.create_server(('{}', 0)); print(s.getsockname()[1], flush=True)"


@pytest.mark.parametrize(("address", "all_addresses"), [("127.0.0.1", False), ("", True)])
def test_who_listens_for_everybody_is_told(address: str, all_addresses: bool) -> None:
    with running(LISTEN.format(address)) as (pid, port):
        assert on_all_addresses([pid], int(port)) is all_addresses


def test_a_listener_that_is_another_program_is_found() -> None:
    with running(LISTEN.format("127.0.0.1")) as (pid, port):
        assert strangers_on([pid], int(port)) == []
        assert strangers_on([os.getpid()], int(port)) == [pid]
