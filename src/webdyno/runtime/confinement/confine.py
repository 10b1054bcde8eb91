"""Holding a server to its limits: control groups where they may be written, else what is left.

CPU: whole cores are held by affinity (see `placement`); a part of one needs the quota of a control
group. Memory: a control group counts the whole process tree and kills what exceeds it. Without
one RLIMIT_DATA bounds what each process maps for writing. RLIMIT_AS would not do: a JVM or Node.js
reserves address space by the gigabyte that it never uses.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webdyno.runtime.confinement.own_groups import (
    counts_cpu,
    is_v2,
    new_group,
    parents_of,
    parents_of_accounts,
    remove,
    remove_leftovers,
)
from webdyno.store.document import described

# Waits until it was put into the groups, so that nothing it does goes uncounted. It does not join
# by itself, since it may be another user's already.
_HELD = 'read -r go || exit 126; test -z "$1" || ulimit -d "$1"; shift; exec "$@" </dev/null'


@described
@dataclass(frozen=True)
class ConfinementMeans:
    """What can hold a limit here: `cgroup v2`, `cgroup v1`, or what is left without them."""

    cpu: str
    """What holds a server to its CPUs."""
    memory: str
    """What holds a server to its memory."""
    processes: str = ""
    """What keeps all that a server starts together."""


@dataclass
class Confinement:
    """The groups of one server. `close` ends what is in them and removes them."""

    cpu: Path | None = None
    memory: Path | None = None
    keep: Path | None = None
    """A group that can be frozen, which holds all that the program starts."""
    account: Path | None = None
    """A group that counts the CPU time of all that the program starts, whoever waits for it."""
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
                made._make_account()
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
                counters = dict(line.split() for line in lines)
                return int(counters.get("oom_kill", "0"))
        return 0

    def close(self) -> None:
        """End every process in the groups and remove them; more than once does no harm."""
        self.thaw()  # What is frozen does not end.
        for folder in self._folders():
            remove(folder)
        self._closed = True

    def _make_groups(self, cpus: float | None, memory_bytes: int | None) -> None:
        # In version 2 a process is in one group only, so that one must hold both limits.
        if cpus is not None and memory_bytes is not None:
            both = [parent for parent in parents_of("cpu") if parent in parents_of("memory")]
            self.cpu = self.memory = _first(new_group(one, cpus, memory_bytes) for one in both)
        if cpus is not None and self.cpu is None:
            self.cpu = _first(new_group(parent, cpus, None) for parent in parents_of("cpu"))
        if memory_bytes is not None and self.memory is None:
            parents = [p for p in parents_of("memory") if not (is_v2(self.cpu) and is_v2(p))]
            self.memory = _first(new_group(parent, None, memory_bytes) for parent in parents)

    def _make_keep(self) -> None:
        # Version 2 puts a process into one group only: then that of the limits is it.
        made = next((one for one in (self.cpu, self.memory) if is_v2(one)), None)
        parents = [] if made else parents_of("freezer")
        self.keep = made or _first(new_group(parent, None, None) for parent in parents)

    def _make_account(self) -> None:
        made = [one for one in (self.keep, self.cpu, self.memory) if counts_cpu(one)]
        # In version 2 every group counts, but a process is in one of them only.
        second = is_v2(self.cpu) or is_v2(self.memory) or is_v2(self.keep)
        parents = [] if made or second else [p for p in parents_of("freezer") if is_v2(p)]
        parents += [] if made else parents_of_accounts()
        self.account = made[0] if made else _first(new_group(one, None, None) for one in parents)

    def _folders(self) -> list[Path]:
        groups = (self.cpu, self.memory, self.keep, self.account)
        found = [folder for folder in groups if folder is not None]
        return [] if self._closed else list(dict.fromkeys(found))


def means() -> ConfinementMeans:
    """What holds limits on this machine, found by making the groups and removing them."""
    trial = Confinement.open(cpus=1.0, memory_bytes=1 << 40)
    try:
        return ConfinementMeans(
            cpu=_version(trial.cpu) or "CPU affinity",
            memory=_version(trial.memory) or "RLIMIT_DATA of each process",
            processes=_version(trial.keep) or "signals to each process",
        )
    finally:
        trial.close()


def _version(folder: Path | None) -> str:
    if folder is None:
        return ""
    return "cgroup v2" if is_v2(folder) else "cgroup v1"


def _first(made: Iterator[Path | None]) -> Path | None:
    return next((folder for folder in made if folder is not None), None)
