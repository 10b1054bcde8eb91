"""Control groups of our own: made where they may be, found again, and removed.

A group is named after the process that made it, the time that process started and its PID
namespace, so that what a killed laboratory leaves behind is known for certain and removed by the
next. Containers may share groups, but a process of one has no id in another, or a different one.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from webdyno.runtime.confinement.cgroup import MOUNT, controller_folder, groups
from webdyno.runtime.proc import look_at

PERIOD_US = 100_000
"""The kernel's own default period of a CPU quota."""

_CONTROLLERS = ("cpu", "cpuacct", "memory", "freezer")
_PREFIX = "webdyno-"
_MEMBERSHIP = Path("/proc/self/cgroup")
_numbers = itertools.count()
_joined = set[Path]()
"""Parents of groups that a process of ours was seen to join."""


def is_v2(folder: Path | None) -> bool:
    """Whether the group is one of version 2."""
    return folder is not None and (folder / "cgroup.controllers").exists()


def parents_of(name: str) -> list[Path]:
    """Groups in which one with the controller `name` might be made, this process's own first."""
    found: list[Path] = []
    for controllers, path in groups(_MEMBERSHIP):
        if not controllers:
            # Every group of version 2 but the root's can be frozen; no controller is named.
            mounts = [
                mount
                for mount in (MOUNT, MOUNT / "unified")
                if (is_v2(mount) if name == "freezer" else _has(mount, name))
            ]
        elif name in controllers:
            mounts = [controller_folder(MOUNT, controllers, name)]
        else:
            continue
        for mount in mounts:
            own = mount / path.lstrip("/")
            while True:
                found.append(own)
                if own == mount or mount not in own.parents:
                    break
                own = own.parent
    return [folder for folder in dict.fromkeys(found) if folder.is_dir()]


def counts_cpu(folder: Path | None) -> bool:
    """Whether the group counts the CPU time of all that ever was in it."""
    if folder is None:
        return False
    return (folder / "cpuacct.usage").exists() or (is_v2(folder) and (folder / "cpu.stat").exists())


def cpu_seconds(folder: Path) -> float | None:
    """What the group counted so far, to a scheduler tick; None where it does not tell."""
    with contextlib.suppress(OSError, ValueError):
        return int((folder / "cpuacct.usage").read_text()) / 1e9
    with contextlib.suppress(OSError, ValueError, KeyError):
        lines = (folder / "cpu.stat").read_text().splitlines()
        return int(dict(line.split() for line in lines)["usage_usec"]) / 1e6
    return None


def parents_of_accounts() -> list[Path]:
    """Groups of version 1 in which one might be made that counts CPU time and does no more.

    Where counting comes with sharing (mounts `cpu,cpuacct`) there are none: a group of its own
    would get another part of the cores than its processes get without it.
    """
    sharing = {os.path.realpath(folder) for folder in parents_of("cpu")}
    return [one for one in parents_of("cpuacct") if os.path.realpath(one) not in sharing]


def _has(mount: Path, controller: str) -> bool:
    try:
        return controller in (mount / "cgroup.controllers").read_text().split()
    except OSError:
        return False


def new_group(parent: Path, cpus: float | None, memory_bytes: int | None) -> Path | None:
    """A new group below `parent` with these limits; None where that is not allowed."""
    maker = f"{os.getpid()}-{_started(os.getpid())}-{_namespace()}"
    folder = parent / f"{_PREFIX}{maker}-{next(_numbers)}"
    second = is_v2(parent)
    limits = _limits_v2 if second else _limits_v1
    bounds = {"cpu": cpus, "memory": memory_bytes}
    try:
        if second:
            _enable(parent, [name for name, limit in bounds.items() if limit is not None])
        folder.mkdir()
    except OSError:
        return None
    try:
        for name, value in limits(cpus, memory_bytes).items():
            (folder / name).write_text(value)
        if memory_bytes is not None:
            _forbid_swap(folder, memory_bytes)
        # A group may be made and set, and yet not be joined: then it holds nothing.
        if parent not in _joined:
            _try_to_join(folder)
            _joined.add(parent)
    except OSError:
        remove(folder)
        return None
    return folder


def _limits_v1(cpus: float | None, memory_bytes: int | None) -> dict[str, str]:
    limits = {}
    if cpus is not None:
        limits["cpu.cfs_period_us"] = str(PERIOD_US)
        limits["cpu.cfs_quota_us"] = str(_quota_us(cpus))
    if memory_bytes is not None:
        limits["memory.limit_in_bytes"] = str(memory_bytes)
    return limits


def _limits_v2(cpus: float | None, memory_bytes: int | None) -> dict[str, str]:
    limits = {}
    if cpus is not None:
        limits["cpu.max"] = f"{_quota_us(cpus)} {PERIOD_US}"
    if memory_bytes is not None:
        limits["memory.max"] = str(memory_bytes)
    return limits


def _quota_us(cpus: float) -> int:
    return max(1000, round(cpus * PERIOD_US))


def _forbid_swap(folder: Path, memory_bytes: int) -> None:
    """Swap would let it exceed the limit; kernels without swap accounting lack these files."""
    for name, value in (("memory.swap.max", 0), ("memory.memsw.limit_in_bytes", memory_bytes)):
        with contextlib.suppress(OSError):
            if (folder / name).exists():
                (folder / name).write_text(str(value))


def _enable(parent: Path, controllers: Sequence[str]) -> None:
    """Have version 2 hand `controllers` on to the groups below `parent`. Raises `OSError`."""
    control = parent / "cgroup.subtree_control"
    missing = [name for name in controllers if name not in control.read_text().split()]
    if not missing:
        return
    # A group that holds processes may hand on some controllers all the same, but makes its other
    # groups of a kind that takes no processes. The root, which has no type, is an exception.
    if (parent / "cgroup.type").exists() and (parent / "cgroup.procs").read_text().strip():
        raise PermissionError(f"{parent} holds processes")
    control.write_text(" ".join(f"+{name}" for name in missing))


def _try_to_join(folder: Path) -> None:
    """Have a process of our own join the group and end. Raises `OSError` where it may not."""
    argv = ["/bin/sh", "-c", 'echo $$ > "$1"', "sh", str(folder / "cgroup.procs")]
    if subprocess.run(argv, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise PermissionError(f"{folder} cannot be joined")


def remove_leftovers() -> int:
    """Remove the groups of laboratories that are gone, and what still runs in them."""
    removed = 0
    parents = {one for name in _CONTROLLERS for one in parents_of(name)}
    for parent in parents:
        for folder in parent.glob(f"{_PREFIX}*"):
            if _owner_is_gone(folder.name):
                remove(folder)
                removed += 1
    return removed


def remove(folder: Path) -> None:
    """End what is in the group `folder`, and remove it as soon as the kernel lets go of it."""
    deadline = time.monotonic() + 2.0
    while folder.is_dir():
        with contextlib.suppress(OSError):
            (folder / "cgroup.freeze").write_text("0")
        with contextlib.suppress(OSError):
            (folder / "freezer.state").write_text("THAWED")
        with contextlib.suppress(OSError):
            for pid in map(int, (folder / "cgroup.procs").read_text().split()):
                # One that has no id in our PID namespace is listed as 0: our own process group.
                if pid > 0:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            folder.rmdir()
            return
        if time.monotonic() > deadline:
            return
        time.sleep(0.01)


def _owner_is_gone(name: str) -> bool:
    pid, started, namespace, *_ = [*name.removeprefix(_PREFIX).split("-"), "", "", ""]
    if not pid.isdigit() or namespace != _namespace():
        return False
    return _started(int(pid)) != started


def _namespace() -> str:
    """The number of the PID namespace in which this process has its id."""
    try:
        return str(os.stat("/proc/self/ns/pid").st_ino)
    except OSError:  # A kernel without such namespaces.
        return "0"


def _started(pid: int) -> str:
    """When the process started, in clock ticks since boot; empty where there is none."""
    seen = look_at(pid)
    return str(seen.started) if seen else ""
