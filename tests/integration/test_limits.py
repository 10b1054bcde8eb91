"""Limits held for real: by control groups where they may be written, else by what is left."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from webdyno.runtime.confinement.confine import Confinement, means
from webdyno.runtime.confinement.own_groups import remove_leftovers
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.machine.share import cores_wanted, share_of
from webdyno.runtime.proc import is_zombie
from webdyno.runtime.processes.process import ManagedProcess

GROUPS = means()
needs_cpu_group = pytest.mark.skipif(
    not GROUPS.cpu.startswith("cgroup"), reason="no control group for CPU may be written here"
)
needs_memory_group = pytest.mark.skipif(
    not GROUPS.memory.startswith("cgroup"), reason="no control group for memory may be written here"
)
HOG = "import os, time; held = [bytearray(os.urandom(1 << 20)) for _ in range(300)]; time.sleep(60)"
BURNER = "while True: pass"


def run(confinement: Confinement, code: str, folder: Path) -> ManagedProcess:
    return ManagedProcess.start(
        [sys.executable, "-c", code],
        name="limited",
        cwd=folder,
        env=dict(os.environ),
        log=folder / "log",
        confinement=confinement,
    )


@pytest.mark.concurrent
@needs_memory_group
def test_a_process_above_its_memory_is_killed_and_counted(tmp_path: Path) -> None:
    confinement = Confinement.open(memory_bytes=100 << 20)
    try:
        hog = run(confinement, HOG, tmp_path)
        assert hog.wait(60) == -9
        assert confinement.memory_kills() >= 1
    finally:
        confinement.close()


@pytest.mark.concurrent
@needs_memory_group
def test_a_process_within_its_memory_lives(tmp_path: Path) -> None:
    confinement = Confinement.open(memory_bytes=900 << 20)
    try:
        hog = run(confinement, HOG.replace("time.sleep(60)", "pass"), tmp_path)
        assert hog.wait(60) == 0
        assert confinement.memory_kills() == 0
    finally:
        confinement.close()


@pytest.mark.concurrent
def test_without_groups_a_process_is_refused_memory(tmp_path: Path) -> None:
    confinement = Confinement.open(memory_bytes=100 << 20, use_groups=False)
    try:
        hog = run(confinement, HOG, tmp_path)
        assert hog.wait(60) == 1
        assert "MemoryError" in hog.log_tail()
    finally:
        confinement.close()


@pytest.mark.concurrent
@needs_cpu_group
def test_a_quota_of_half_a_core_holds(tmp_path: Path) -> None:
    confinement = Confinement.open(cpus=0.5)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    burner = run(confinement, BURNER, tmp_path)
    try:
        time.sleep(2.0)
    finally:
        burner.stop(grace_s=0.1)
        elapsed = time.monotonic() - started
        confinement.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # A period more than its share at most: what the last one gave beforehand. And a tenth more,
    # since some kernels count by the tick.
    assert 0 < spent <= 0.55 * elapsed + 0.1


@pytest.mark.concurrent
@needs_cpu_group
@needs_memory_group
def test_both_limits_hold_one_process(tmp_path: Path) -> None:
    # So little that any machine would give more.
    confinement = Confinement.open(cpus=0.05, memory_bytes=60 << 20)
    try:
        hog = run(confinement, HOG, tmp_path)
        assert hog.wait(60) == -9
        assert confinement.memory_kills() >= 1
        # The quota's own count, because on a busy machine a process gets less in any case.
        assert confinement.cpu is not None
        lines = (confinement.cpu / "cpu.stat").read_text().splitlines()
        assert int(dict(line.split() for line in lines)["nr_throttled"]) >= 5
    finally:
        confinement.close()


@pytest.mark.concurrent
@needs_memory_group
def test_what_is_in_a_group_ends_with_it(tmp_path: Path) -> None:
    confinement = Confinement.open(memory_bytes=900 << 20)
    process = run(confinement, "import time; time.sleep(60)", tmp_path)
    assert confinement.memory is not None
    while str(process.pid) not in (confinement.memory / "cgroup.procs").read_text().split():
        time.sleep(0.01)
    confinement.close()
    assert process.wait(10) == -9
    assert not confinement.memory.exists()


@needs_memory_group
def test_the_next_laboratory_removes_what_a_killed_one_left() -> None:
    code = (
        "import os, subprocess, time\n"
        "from webdyno.runtime.confinement.confine import Confinement\n"
        "made = Confinement.open(cpus=0.5, memory_bytes=900 << 20)\n"
        "argv = made.wrap(['sleep', '60'])\n"
        "child = subprocess.Popen(argv, start_new_session=True, stdin=subprocess.PIPE)\n"
        "made.take(child)\n"
        "time.sleep(0.5)\n"
        "print(child.pid, made.memory, flush=True)\n"
        "time.sleep(60)\n"
    )
    laboratory = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert laboratory.stdout is not None
    pid, folder = laboratory.stdout.readline().split()
    assert remove_leftovers() == 0  # Its owner lives: hands off.
    laboratory.kill()
    laboratory.wait()
    laboratory.stdout.close()
    assert Path(folder).is_dir()
    assert remove_leftovers() >= 1
    assert not Path(folder).exists()
    assert is_zombie(int(pid))  # Or gone altogether.


@pytest.mark.concurrent
def test_words_say_what_was_asked_what_there_is_and_what_holds_it() -> None:
    one = Placement(server=(0,), generator=(1,), services=(1,))
    found = share_of(6.0, 8_000_000_000, one, GROUPS, machine=4_000_000_000)
    assert found.cpus is None
    assert found.memory_bytes is not None
    assert found.memory_bytes <= 3_000_000_000
    assert (
        "6 CPUs requested for each server, 1 is the machine's share: enforced by CPU affinity"
        in found.words
    )
    assert f"is the machine's share: enforced by {GROUPS.memory}" in found.words


@pytest.mark.concurrent
@needs_cpu_group
def test_a_part_of_a_core_is_held_by_a_quota() -> None:
    assert cores_wanted(2.5, GROUPS) == 3
    half = share_of(0.5, None, Placement((0,), (1,), (1,)), GROUPS, machine=1 << 34)
    assert half.cpus == 0.5
    assert half.words == f"0.5 CPUs requested for each server: enforced by a quota of {GROUPS.cpu}"


@pytest.mark.concurrent
def test_without_groups_whole_cores_are_given_and_it_is_said() -> None:
    nothing = type(GROUPS)(cpu="CPU affinity", memory="RLIMIT_DATA of each process")
    assert cores_wanted(2.5, nothing) == 2
    assert cores_wanted(0.5, nothing) == 1
    found = share_of(0.5, None, Placement((0,), (1,), (1,)), nothing, machine=1 << 34)
    assert found.cpus is None
    assert "part of a core cannot be enforced here (CPU affinity only)" in found.words
