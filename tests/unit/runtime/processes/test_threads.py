"""Threads by name: those of a real process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from webdyno.runtime.processes.threads import NamedThreads

_PROGRAM = """
import pathlib, sys, threading, time

def named(name, work):
    has_it = threading.Event()
    def run():
        pathlib.Path(f"/proc/self/task/{threading.get_native_id()}/comm").write_text(name)
        has_it.set()
        work()
    thread = threading.Thread(target=run)
    thread.start()
    has_it.wait()
    return thread

def compile():
    end = time.thread_time() + float(sys.argv[1])
    while time.thread_time() < end:
        pass

def stand():
    time.sleep(60)

first = named("C1 CompilerThre", compile)
first.join()
named("C2 CompilerThre", stand)
named("http", stand)
print("ready", flush=True)
sys.stdin.readline()
second = named("C1 CompilerThre", stand)
print("again", flush=True)
"""


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    """One that compiles for as long as a test asks for, and else for a moment."""
    compiles_s = getattr(request, "param", 0.01)
    with subprocess.Popen(
        [sys.executable, "-S", "-c", _PROGRAM, str(compiles_s)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        yield process
        process.kill()


def heard(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    return program.stdout.readline().strip()


def threads_of(pid: int) -> dict[str, set[int]]:
    """The CPUs of its threads, by name."""
    return {
        open(f"/proc/{pid}/task/{task}/comm").read().strip(): os.sched_getaffinity(int(task))
        for task in os.listdir(f"/proc/{pid}/task")
    }


@pytest.mark.slow
@pytest.mark.parametrize("program", [0.3], indirect=True)
def test_only_what_the_named_ones_used_is_counted(program: subprocess.Popen[str]) -> None:
    seen = NamedThreads(program.pid, ["C1 CompilerThre", "C2 CompilerThre"], refresh_s=0.0)
    most = 0.0
    watching = threading.Thread(target=heard, args=(program,))
    watching.start()
    while watching.is_alive():
        most = max(most, seen.seconds()[0])
        time.sleep(0.005)
    # The thread that compiled has ended since; what it used stays counted.
    assert seen.seconds()[0] >= most > 0.02
    assert seen.seconds()[1] >= 0.0
    assert NamedThreads(program.pid, ["http"]).seconds()[0] < 0.02


def test_names_nobody_has_count_nothing(program: subprocess.Popen[str]) -> None:
    heard(program)
    assert NamedThreads(program.pid, ["GC"]).seconds() == (0.0, 0.0)


def test_a_process_that_has_ended_used_what_it_had(program: subprocess.Popen[str]) -> None:
    heard(program)
    seen = NamedThreads(program.pid, ["C2 CompilerThre"], refresh_s=0.0)
    before = seen.seconds()
    program.kill()
    program.wait()
    assert seen.seconds() == before


def test_they_may_be_moved_those_to_come_as_well(program: subprocess.Popen[str]) -> None:
    cpus = os.sched_getaffinity(0)
    if len(cpus) < 2:
        pytest.skip("one CPU only")
    one = {min(cpus)}
    heard(program)
    seen = NamedThreads(program.pid, ["C1 CompilerThre", "C2 CompilerThre"], refresh_s=0.0)
    seen.allow(one)
    found = threads_of(program.pid)
    assert found["C2 CompilerThre"] == one
    assert found["http"] == cpus
    assert program.stdin is not None
    print("go", file=program.stdin, flush=True)
    assert heard(program) == "again"
    until = time.monotonic() + 30
    while threads_of(program.pid).get("C1 CompilerThre") != one and time.monotonic() < until:
        seen.seconds()
        time.sleep(0.01)
    assert threads_of(program.pid)["C1 CompilerThre"] == one
