"""Servers that take more than they were given: each is told, and is not ranked."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from support.hello_server import write_hello_server
from support.quiet import first_in_line
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.runtime.confinement.confine import means
from webdyno.runtime.home import Home
from webdyno.runtime.proc import descendants, is_zombie
from webdyno.store.records import TrialRecord
from webdyno.store.store import Store

pytestmark = pytest.mark.concurrent

DAEMON = """
import sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, "-c", "while True: pass"], {})
    os._exit(0)
os.wait()
"""
"""Forks twice, in a session of its own, with an empty environment, and burns."""

LEAVES = """
import glob, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for path in glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True):
            try:
                with open(path, "w") as group:
                    group.write(str(os.getpid()))
                print("LEFT for", path, file=sys.stderr, flush=True)
            except OSError:
                print("KEPT from", path, file=sys.stderr, flush=True)
    os._exit(0)
os.wait()
"""
"""A daemon that tries to join every control group there is."""

RING = """
import ctypes, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
other = next(core for core in range(os.cpu_count()) if core not in os.sched_getaffinity(0))
params = bytearray(120)
struct.pack_into("IIIII", params, 0, 0, 0, 1 << 1 | 1 << 2, other, 60_000)
ring = libc.syscall(425, 8, (ctypes.c_char * 120).from_buffer(params))
print("RING", ring, file=sys.stderr, flush=True)
"""
"""Has the kernel take its requests from a ring (SQPOLL, by IORING_SETUP_SQ_AFF on another core)."""

OTHER_CORES = """
os.sched_setaffinity(0, range(os.cpu_count()))
threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
"""

FORGOTTEN = """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
HELD = os.memfd_create("held")
os.write(HELD, bytes(60_000_000))
"""
"""Nobody waits for its children, and what it keeps is in a file that nobody maps."""

WORKS_IN_A_CHILD = """
ready, done = os.pipe()
if os.fork() == 0:
    os.pread(HELD, 4096, 0)
    while time.process_time() < 0.005: pass
    os._exit(0)
os.close(done)
os.read(ready, 1)
os.close(ready)
"""
"""Lives for 5 ms of CPU time."""

FOR_ALL = (
    "import socketserver; bind = socketserver.TCPServer.server_bind\n"
    """
def everywhere(server):
    server.server_address = ("", server.server_address[1])
    bind(server)
socketserver.TCPServer.server_bind = everywhere
"""
)


def trial_of(tmp_path: Path, setup: str, each: str = "pass") -> TrialRecord:
    write_hello_server(tmp_path, "it", setup=setup, each=each)
    study = StudyManifest.model_validate(
        {
            "name": "escapes",
            "title": "escapes",
            "question": "does it get away?",
            "servers": ["python/it"],
            "scenarios": ["hello"],
            "loads": [{"kind": "closed", "connections": 4, "duration": "1s", "timeout": "2s"}],
            "warmup": {"min": 0.3, "max": 0.3},
            "blocks": {"min": 1, "max": 1},
            "budget": "60s",
            "sentinel": False,
        }
    )
    home, store = Home(tmp_path / "home"), Store.open(tmp_path / "store.sqlite")
    before = set(descendants(os.getpid()))
    with first_in_line():
        run = run_study(study, RunEnvironment(Catalog.with_overlay(tmp_path), home, store))
    assert not left_of(before)
    (trial,) = run.trials
    return trial


def left_of(before: set[int]) -> list[int]:
    """Who lives that did not before; on a busy machine, a killed process needs time to end."""
    until = time.monotonic() + 5
    while True:
        new = set(descendants(os.getpid())) - before
        left = [pid for pid in new if not is_zombie(pid)]
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.05)


def test_the_work_of_a_daemon_is_in_the_account_of_its_server(tmp_path: Path) -> None:
    trial = trial_of(tmp_path, DAEMON)
    measured = trial.measurement
    assert measured is not None
    assert measured.processes_peak == 2
    # It never pauses, and nobody else's thread in the account is always ready to run.
    ready = measured.cpu["server"].busiest_thread_ready_share
    assert ready is not None
    assert ready > 0.8
    assert "left-processes" in {flag.code for flag in trial.flags}


@pytest.mark.skipif(
    not means().processes.startswith("cgroup"), reason="no control group may be written here"
)
def test_children_that_nobody_waits_for_and_files_that_nobody_maps_count(tmp_path: Path) -> None:
    trial = trial_of(tmp_path, FORGOTTEN, WORKS_IN_A_CHILD)
    measured = trial.measurement
    assert trial.status == "ok", trial.reason
    assert measured is not None
    # Most of the children live between two samples; a group's clock may be a tick behind.
    assert measured.cpu_us_per_request["server"] > 4900
    assert measured.memory_bytes.idle > 60e6
    assert 60e6 < measured.memory_bytes.peak < 200e6


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is no other core to take")
def test_who_takes_other_cores_is_not_ranked(tmp_path: Path) -> None:
    trial = trial_of(tmp_path, OTHER_CORES)
    assert trial.status == "failed"
    assert "left-its-cores" in {flag.code for flag in trial.flags}


def logs_of(tmp_path: Path) -> str:
    return "".join(log.read_text() for log in (tmp_path / "home").glob("runs/*/logs/*.log"))


def test_nobody_moves_to_another_control_group(tmp_path: Path) -> None:
    trial_of(tmp_path, LEAVES)
    told = logs_of(tmp_path)
    if "KEPT" not in told and "LEFT" not in told:
        pytest.skip("this machine has no control groups")
    assert "LEFT" not in told


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="there is no other core")
def test_who_has_the_kernel_work_on_other_cores_is_not_ranked(tmp_path: Path) -> None:
    trial = trial_of(tmp_path, RING)
    if "RING -1" in (told := logs_of(tmp_path)):
        pytest.skip("this kernel has no io_uring for ordinary programs")
    assert "RING" in told
    assert trial.status == "failed"
    assert "do not change the affinity" in trial.reason


def test_who_listens_on_all_addresses_is_told_so_and_ranked(tmp_path: Path) -> None:
    trial = trial_of(tmp_path, FOR_ALL)
    assert trial.status == "ok", trial.reason
    assert "on-all-addresses" in {flag.code for flag in trial.flags}
