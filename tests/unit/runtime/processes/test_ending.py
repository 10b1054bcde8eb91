"""When a process ended that was not asked to."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import pytest

from webdyno.runtime.proc import look_at
from webdyno.runtime.processes.ending import Ending, how

SLEEPS = "import time; time.sleep(60)"
ONLY_ITS_FIRST_THREAD_ENDS = """
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(60,)).start()
ctypes.CDLL(None).pthread_exit(None)
"""


@contextmanager
def process(code: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", code]) as started:
        try:
            yield started
        finally:
            started.kill()


def until_a_zombie(pid: int) -> None:
    while (seen := look_at(pid)) and not (seen.zombie or seen.ending):
        time.sleep(0.01)


def test_one_that_lives_has_not_ended() -> None:
    with process(SLEEPS) as server, Ending(server.pid) as ending:
        time.sleep(0.05)
    assert ending.after_s is None


def test_one_that_ends_meanwhile_is_seen_when_it_does() -> None:
    with process(SLEEPS) as server, Ending(server.pid) as ending:
        time.sleep(0.1)
        server.kill()
        until_a_zombie(server.pid)
        time.sleep(0.05)
    assert ending.after_s is not None
    assert 0.1 <= ending.after_s < 5.0


def test_one_that_ends_is_seen_however_many_files_are_open() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= hard < 2048:
        pytest.skip(f"only {hard} files may be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2048), hard))
    opened: list[int] = []
    try:
        while not opened or opened[-1] < 1024:
            opened.append(os.open(os.devnull, os.O_RDONLY))
        with process(SLEEPS) as server, Ending(server.pid) as ending:
            server.kill()
            until_a_zombie(server.pid)
            time.sleep(0.05)
        assert ending.after_s is not None
    finally:
        for file in opened:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# Of one that is killed, the last thread may end a while after the first.
@pytest.mark.parametrize("code", ["pass", ONLY_ITS_FIRST_THREAD_ENDS])
def test_one_that_had_ended_before_is_told_so(code: str) -> None:
    with process(code) as server:
        until_a_zombie(server.pid)
        with Ending(server.pid) as ending:
            pass
        assert ending.after_s == 0.0


def test_one_whose_end_somebody_has_asked_for_had_ended_before() -> None:
    with process("pass") as server:
        server.wait()
        with Ending(server.pid) as ending:
            time.sleep(0.05)
    assert ending.after_s == 0.0


@pytest.mark.parametrize("step", ["os.pipe", "threading.Thread.start"])
def test_no_file_stays_open_where_it_cannot_begin(step: str) -> None:
    with process(SLEEPS) as server, mock.patch(step, side_effect=OSError("too many open files")):
        before = set(os.listdir("/proc/self/fd"))
        with pytest.raises(OSError, match="too many"), Ending(server.pid):
            pass
        assert set(os.listdir("/proc/self/fd")) == before


def test_no_file_stays_open_after_it() -> None:
    with process(SLEEPS) as server:
        before = set(os.listdir("/proc/self/fd"))
        with Ending(server.pid):
            assert len(os.listdir("/proc/self/fd")) > len(before)
        assert set(os.listdir("/proc/self/fd")) == before


def test_how_it_ended_is_told_in_words() -> None:
    assert how(3) == "exited with 3"
    assert how(0).startswith("exited with 0, but has to stay in the foreground")
    assert how(-signal.SIGKILL) == "was killed (SIGKILL)"
    assert how(-signal.SIGSEGV) == "was ended by a signal (SIGSEGV)"
