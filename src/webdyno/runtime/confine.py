"""Holding a server to its limits: control groups where they may be written, else what is left.

CPU: whole cores are held by affinity (see `placement`); a part of one needs the quota of a control
group. Memory: a control group counts the whole process tree and kills what exceeds it. Without
one RLIMIT_DATA bounds what each process maps for writing. RLIMIT_AS would not do: a JVM or Node.js
reserves address space by the gigabyte that it never uses.

A group is named after the process that made it and the time that process started, so that what a
killed laboratory leaves behind is known for certain and removed by the next.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webdyno.runtime.cgroup import MOUNT, controller_folder, groups

PERIOD_US = 100_000
"""The kernel's own default period of a CPU quota."""

_PREFIX = "webdyno-"
_MEMBERSHIP = Path("/proc/self/cgroup")
_numbers = itertools.count()
_joined = set[Path]()
"""Parents of groups that a process of ours was seen to join."""

# Waits until it was put into the groups, so that nothing it does goes uncounted. It does not join
# by itself, since it may be another user's already.
_HELD = 'read -r go || exit 126; test -z "$1" || ulimit -d "$1"; shift; exec "$@" </dev/null'


@dataclass(frozen=True)
class Means:
    """What can hold a limit here: `cgroup v2`, `cgroup v1`, or what is left without them."""

    cpu: str
    memory: str
    processes: str = ""
    """What keeps all that a server starts together."""


@dataclass
class Confinement:
    """The groups of one server. `close` ends what is in them and removes them."""

    cpu: Path | None = None
    memory: Path | None = None
    keep: Path | None = None
    """A group that can be frozen, which holds all that the program starts."""
    data_bytes: int | None = None
    _closed: bool = field(default=False, repr=False)

    @classmethod
    def open(
        cls, cpus: float | None = None, memory_bytes: int | None = None, use_groups: bool = True
    ) -> Confinement:
        """Make groups for a quota of `cpus` cores and for `memory_bytes`, None for no limit, and
        one that keeps what is started together.

        Where no group may be written, or `use_groups` is False, memory is bounded by RLIMIT_DATA
        and the quota is not held: see `means`.
        """
        remove_leftovers()
        made = cls()
        try:
            if use_groups:
                made._make_groups(cpus, memory_bytes)
                made._make_keep()
            if memory_bytes is not None and made.memory is None:
                made.data_bytes = memory_bytes
        except BaseException:
            made.close()
            raise
        return made

    def wrap(self, argv: Sequence[str]) -> list[str]:
        """The command that starts `argv` within the limits, under the same process id, once it has
        been let go on: see `take`."""
        data_kib = "" if self.data_bytes is None else str(max(1, self.data_bytes // 1024))
        return ["/bin/sh", "-c", _HELD, "sh", data_kib, *argv]

    def take(self, process: subprocess.Popen[bytes]) -> None:
        """Put a process that `wrap` made, and whose input is a pipe, into the groups and let it go
        on. Raises `OSError` where a group may not be joined."""
        assert process.stdin is not None
        with process.stdin:
            for folder in self._folders():
                (folder / "cgroup.procs").write_text(str(process.pid))
            process.stdin.write(b"\n")

    def freeze(self) -> None:
        """Let all that is in the group stand still; nothing where there is none."""
        self._set_frozen(True)

    def thaw(self) -> None:
        """Let it go on."""
        self._set_frozen(False)

    def _set_frozen(self, frozen: bool) -> None:
        if self.keep is None or self._closed:
            return
        v1 = "FROZEN" if frozen else "THAWED"
        for name, value in (("cgroup.freeze", str(int(frozen))), ("freezer.state", v1)):
            with contextlib.suppress(OSError):
                if (self.keep / name).exists():
                    (self.keep / name).write_text(value)

    def memory_kills(self) -> int:
        """How many of its processes the kernel killed for exceeding the memory limit."""
        if self.memory is None:
            return 0
        for name in ("memory.events", "memory.oom_control"):
            with contextlib.suppress(OSError, ValueError):
                lines = (self.memory / name).read_text().splitlines()
                told = dict(line.split() for line in lines)
                return int(told.get("oom_kill", "0"))
        return 0

    def close(self) -> None:
        """End every process in the groups and remove them; more than once does no harm."""
        self.thaw()  # What is frozen does not end.
        for folder in self._folders():
            _remove(folder)
        self._closed = True

    def _make_groups(self, cpus: float | None, memory_bytes: int | None) -> None:
        # In version 2 a process is in one group only, so that one must hold both limits.
        if cpus is not None and memory_bytes is not None:
            both = [parent for parent in _parents("cpu") if parent in _parents("memory")]
            self.cpu = self.memory = _first(_group(parent, cpus, memory_bytes) for parent in both)
        if cpus is not None and self.cpu is None:
            self.cpu = _first(_group(parent, cpus, None) for parent in _parents("cpu"))
        if memory_bytes is not None and self.memory is None:
            parents = [p for p in _parents("memory") if not (_is_v2(self.cpu) and _is_v2(p))]
            self.memory = _first(_group(parent, None, memory_bytes) for parent in parents)

    def _make_keep(self) -> None:
        # Version 2 puts a process into one group only: then that of the limits is it.
        made = next((one for one in (self.cpu, self.memory) if _is_v2(one)), None)
        parents = [] if made else _parents("freezer")
        self.keep = made or _first(_group(parent, None, None) for parent in parents)

    def _folders(self) -> list[Path]:
        groups = (self.cpu, self.memory, self.keep)
        found = [folder for folder in groups if folder is not None]
        return [] if self._closed else list(dict.fromkeys(found))


def means() -> Means:
    """What holds limits on this machine, found by making the groups and removing them."""
    trial = Confinement.open(cpus=1.0, memory_bytes=1 << 40)
    try:
        return Means(
            cpu=_version(trial.cpu) or "CPU affinity",
            memory=_version(trial.memory) or "RLIMIT_DATA of each process",
            processes=_version(trial.keep) or "signals to each process",
        )
    finally:
        trial.close()


def remove_leftovers() -> int:
    """Remove the groups of laboratories that are gone, and what still runs in them."""
    removed = 0
    for parent in {*_parents("cpu"), *_parents("memory"), *_parents("freezer")}:
        for folder in parent.glob(f"{_PREFIX}*"):
            if _owner_is_gone(folder.name):
                _remove(folder)
                removed += 1
    return removed


def _version(folder: Path | None) -> str:
    if folder is None:
        return ""
    return "cgroup v2" if _is_v2(folder) else "cgroup v1"


def _is_v2(folder: Path | None) -> bool:
    return folder is not None and (folder / "cgroup.controllers").exists()


def _parents(name: str) -> list[Path]:
    """Groups in which one with the controller `name` might be made, this process's own first."""
    found: list[Path] = []
    for controllers, path in groups(_MEMBERSHIP):
        if not controllers:
            # Every group of version 2 but the root's can be frozen; no controller is named.
            mounts = [
                mount
                for mount in (MOUNT, MOUNT / "unified")
                if (_is_v2(mount) if name == "freezer" else _has(mount, name))
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


def _has(mount: Path, controller: str) -> bool:
    try:
        return controller in (mount / "cgroup.controllers").read_text().split()
    except OSError:
        return False


def _group(parent: Path, cpus: float | None, memory_bytes: int | None) -> Path | None:
    """A new group below `parent` with these limits; None where that is not allowed."""
    folder = parent / f"{_PREFIX}{os.getpid()}-{_started(os.getpid())}-{next(_numbers)}"
    is_v2 = _is_v2(parent)
    limits = _limits_v2 if is_v2 else _limits_v1
    wanted = {"cpu": cpus, "memory": memory_bytes}
    try:
        if is_v2:
            _enable(parent, [name for name, limit in wanted.items() if limit is not None])
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
        _remove(folder)
        return None
    return folder


def _limits_v1(cpus: float | None, memory_bytes: int | None) -> dict[str, str]:
    found = {}
    if cpus is not None:
        found["cpu.cfs_period_us"] = str(PERIOD_US)
        found["cpu.cfs_quota_us"] = str(_quota_us(cpus))
    if memory_bytes is not None:
        found["memory.limit_in_bytes"] = str(memory_bytes)
    return found


def _limits_v2(cpus: float | None, memory_bytes: int | None) -> dict[str, str]:
    found = {}
    if cpus is not None:
        found["cpu.max"] = f"{_quota_us(cpus)} {PERIOD_US}"
    if memory_bytes is not None:
        found["memory.max"] = str(memory_bytes)
    return found


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


def _first(made: Iterator[Path | None]) -> Path | None:
    return next((folder for folder in made if folder is not None), None)


def _remove(folder: Path) -> None:
    """End what is in the group, and remove it as soon as the kernel lets go of it."""
    deadline = time.monotonic() + 2.0
    while folder.is_dir():
        with contextlib.suppress(OSError):
            (folder / "cgroup.freeze").write_text("0")
        with contextlib.suppress(OSError):
            (folder / "freezer.state").write_text("THAWED")
        with contextlib.suppress(OSError):
            for line in (folder / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(line), signal.SIGKILL)
        with contextlib.suppress(OSError):
            folder.rmdir()
            return
        if time.monotonic() > deadline:
            return
        time.sleep(0.01)


def _owner_is_gone(name: str) -> bool:
    pid, _, rest = name.removeprefix(_PREFIX).partition("-")
    if not pid.isdigit():
        return False
    return _started(int(pid)) != rest.partition("-")[0]


def _started(pid: int) -> str:
    """When the process started, in clock ticks since boot; empty where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""
