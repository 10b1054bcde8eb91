"""Whatever a program starts is its own: real processes that try to get away."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from support.kernel import offers_control_groups
from webdyno.runtime.confinement.confine import Confinement
from webdyno.runtime.proc import is_zombie, look_at
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.processes.process import ManagedProcess

pytestmark = pytest.mark.slow

ESCAPE = """
import os, sys, time

def burn():
    print(os.getpid(), flush=True)
    while True:
        pass
def daemon():
    # Twice, in a session of its own, with nothing of ours in its environment.
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-c", BURN], {})
        os._exit(0)
    os.wait()
def go_on_without_first_thread():
    import ctypes, threading
    threading.Thread(target=burn).start()
    ctypes.CDLL(None).pthread_exit(None)
BURN = "import os\\nprint(os.getpid(), flush=True)\\nwhile True: pass"
"""

PROGRAMS = {
    "child": ESCAPE + "if os.fork() == 0: burn()\ntime.sleep(60)",
    "own session": ESCAPE + "if os.fork() == 0: os.setsid(); burn()\ntime.sleep(60)",
    "own group": ESCAPE + "if os.fork() == 0: os.setpgid(0, 0); burn()\ntime.sleep(60)",
    "no first thread": ESCAPE
    + "if os.fork() == 0: os.setsid(); go_on_without_first_thread()\ntime.sleep(60)",
    "daemon": ESCAPE + "daemon()\ntime.sleep(60)",
}
T = TypeVar("T")
Start = Callable[[str], tuple[ManagedProcess, int]]


@pytest.fixture(params=["groups", "no groups"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Start]:
    """`start(program)`: the program and the id of the process that tries to get away."""
    started: list[tuple[ManagedProcess, Confinement]] = []
    use_groups = request.param == "groups"
    if use_groups and not offers_control_groups():
        pytest.skip("no control group may be made here")

    def run(program: str) -> tuple[ManagedProcess, int]:
        confinement = Confinement.open(use_groups=use_groups)
        assert (confinement.keep is not None) == use_groups
        log = tmp_path / f"log-{len(started)}"
        process = ManagedProcess.start(
            [sys.executable, "-c", program], name="program", cwd=tmp_path, log=log,
            env={"TOKEN": "x"}, confinement=confinement, token=("TOKEN", "x"),
        )  # fmt: skip
        started.append((process, confinement))
        return process, int(eventually(lambda: log.read_text().strip()))

    yield run
    for process, confinement in started:
        process.end_all()
        confinement.close()


def eventually(seen: Callable[[], T]) -> T:
    deadline = time.monotonic() + 30
    while not (found := seen()):
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.01)
    return found


def cpu_s(pid: int) -> float:
    return time.clock_gettime((~pid << 3) | 2)


@pytest.mark.parametrize("how", PROGRAMS)
def test_who_gets_away_is_in_the_account_the_freeze_and_the_stop(how: str, start: Start) -> None:
    process, away = start(PROGRAMS[how])
    assert away in process.family.alive()
    clock = TreeClock(process.pid, refresh_s=0.0)
    before = clock.seconds()
    eventually(lambda: clock.seconds() - before > 0.02)

    process.freeze()
    process.hold()
    time.sleep(0.02)
    stood = cpu_s(away)
    time.sleep(0.15)
    assert cpu_s(away) - stood < 0.005
    process.thaw()
    eventually(lambda: cpu_s(away) - stood > 0.02)

    process.stop(grace_s=0.1)
    left = process.left_behind()
    assert left == ([away] if how not in ("child", "own group") else [])
    process.end_all()
    assert is_zombie(away)


def test_what_is_started_while_others_stand_still_is_of_the_one_awake(start: Start) -> None:
    first, _ = start(PROGRAMS["child"])
    first.freeze()
    second, away = start(PROGRAMS["daemon"])
    assert away in second.family.alive()
    assert away not in first.family.alive()


def test_a_process_with_the_id_of_an_ended_one_is_not_signalled(start: Start) -> None:
    process, away = start(PROGRAMS["child"])
    seen = look_at(away)
    assert seen is not None
    process.family.alive()
    process.family._known[away] = seen.started - 1
    process.family.send(signal.SIGKILL, [away])
    time.sleep(0.05)
    assert not is_zombie(away)
    os.kill(away, signal.SIGKILL)
