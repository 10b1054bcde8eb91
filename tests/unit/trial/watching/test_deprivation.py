"""A server from which another program takes what it was given: real processes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.generators.spread import STARVED
from webdyno.runtime.confinement.granted import granted_to
from webdyno.store.records import FlagRecord
from webdyno.trial.assessment import reasons
from webdyno.trial.proof.lie import lie_of
from webdyno.trial.state import TrialState
from webdyno.trial.watching.deprivation import DEPRIVED, Deprivation
from webdyno.trial.watching.watch import NOT_RANKED
from webdyno.verifier import Mismatch


@pytest.fixture
def pid() -> Iterator[int]:
    """A process that does nothing, with a soft limit of open files below its hard one."""
    with subprocess.Popen(["sleep", "60"]) as process:
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (50, 100))
        yield process.pid
        process.kill()


def lower_its_files(pid: int) -> None:
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (6, 100))


def limit_its_time(pid: int) -> None:
    resource.prlimit(pid, resource.RLIMIT_CPU, (1000, 1000))


def lower_its_priority(pid: int) -> None:
    os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, 0) + 2)


def let_it_idle(pid: int) -> None:
    os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))


def move_it(pid: int) -> None:
    os.sched_setaffinity(pid, {max(os.sched_getaffinity(pid))})


TAKEN: dict[Callable[[int], None], str] = {
    lower_its_files: "the limit 'Max open files' of its process {pid} fell from 50 to 6 after",
    limit_its_time: "the limit 'Max cpu time' of its process {pid} fell from unlimited to 1,000",
    lower_its_priority: "its thread {pid} went from nice {nice} to {nicer} after",
    let_it_idle: "its thread {pid} went from scheduling policy 0 to 5 after",
    move_it: "its thread {pid} lost CPU ",
}


@pytest.mark.parametrize("take", TAKEN, ids=lambda take: take.__name__)
def test_what_is_taken_from_a_server_is_told(take: Callable[[int], None], pid: int) -> None:
    if take is move_it and len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is one core")
    deprived, nice = Deprivation(os.sched_getaffinity(0)), os.getpriority(os.PRIO_PROCESS, 0)
    for _ in range(2):
        deprived.look([pid])
        assert deprived.flags() == []
    take(pid)
    for _ in range(3):
        deprived.look([pid])
        (flag,) = deprived.flags()
        assert flag.message.startswith(TAKEN[take].format(pid=pid, nice=nice, nicer=nice + 2))
    assert flag.code in NOT_RANKED


def test_more_files_are_no_loss_nor_is_a_process_that_has_ended(pid: int) -> None:
    deprived = Deprivation(os.sched_getaffinity(0))
    deprived.look([pid])
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (100, 100))
    deprived.look([pid])
    deprived.look([])
    assert deprived.flags() == []


def test_cores_that_were_lent_and_are_taken_back_are_no_loss(pid: int) -> None:
    """As compilers' are, while a server warms up."""
    cores = os.sched_getaffinity(pid)
    own = {min(cores)}
    deprived = Deprivation(own)
    for now in (own, cores, own):
        os.sched_setaffinity(pid, now)
        deprived.look([pid])
        deprived.look([pid])
    assert deprived.flags() == []


def test_more_cores_are_no_loss(pid: int) -> None:
    cores = os.sched_getaffinity(pid)
    move_it(pid)
    deprived = Deprivation(os.sched_getaffinity(0))
    deprived.look([pid])
    os.sched_setaffinity(pid, cores)
    deprived.look([pid])
    assert deprived.flags() == []


def test_a_thread_may_lower_its_own_priority_when_it_begins() -> None:
    """As runtimes do with threads that work in the background."""
    code = (
        "import os, sys, threading\n"
        "def work():\n"
        "    print('begun', flush=True); go.wait()\n"
        "    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)\n"
        "    print('lowered', flush=True); threading.Event().wait()\n"
        "go = threading.Event()\n"
        "sys.stdin.readline()\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "sys.stdin.readline(); go.set()\n"
        "sys.stdin.readline()\n"
    )
    asked = [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(asked, stdin=pipe, stdout=pipe, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        deprived = Deprivation(os.sched_getaffinity(0))
        deprived.look([process.pid])
        for told in ("begun", "lowered"):
            process.stdin.write("\n")
            assert process.stdout.readline().strip() == told
            deprived.look([process.pid])
        deprived.look([process.pid])
        process.kill()
    assert deprived.flags() == []


def test_what_is_there_is_seen() -> None:
    seen = granted_to([os.getpid()], os.sched_getaffinity(0))
    cores, priority = seen.threads[threading.get_native_id()]
    assert cores == os.sched_getaffinity(0)
    assert priority.nice == os.getpriority(os.PRIO_PROCESS, 0)
    assert "Max open files" in seen.limits[os.getpid()]


def test_wrong_answers_of_a_server_that_lost_something_are_no_lie() -> None:
    process: Any = SimpleNamespace(
        pid=os.getpid(), exit_code=lambda: None, family=SimpleNamespace(alive=lambda: [os.getpid()])
    )
    server: Any = SimpleNamespace(process=process, port=9, address="127.0.0.1")
    plan: Any = SimpleNamespace(run_id="a run")
    wrong = Mismatch("not proven: the digest is right", seen="another")
    state = TrialState(server=server)
    assert lie_of(plan, state, wrong) == str(wrong)
    state.flags.append(FlagRecord(code=DEPRIVED, message="it lost its files"))
    assert lie_of(plan, state, wrong) == ""
    assert reasons.of_mismatch(plan, state, wrong) == "it lost its files"


def test_what_was_taken_is_told_before_what_may_come_of_it() -> None:
    starved = FlagRecord(code=STARVED, message="2 of 4 connections were not served")
    state = TrialState(flags=[starved])
    codes = NOT_RANKED | {STARVED}
    assert reasons.of_flags(state, codes) == starved.message
    state.flags.append(FlagRecord(code=DEPRIVED, message="it lost its files"))
    assert reasons.of_flags(state, codes) == "it lost its files"
    assert reasons.of_flags(state, {"another"}) == ""
