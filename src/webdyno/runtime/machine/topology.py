"""The processor as the kernel describes it: physical cores, their threads, packages, memory nodes.

Only what this process may use is kept, so that a CPU set or a container's share is a smaller
machine and nothing else. Everything is read from files below a root folder, which tests replace.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from webdyno.catalog.terms.cpus import parse_cpus
from webdyno.errors import UserError
from webdyno.store.document import described

CoreKind = Literal["performance", "efficiency"]

SLOWER = 0.8
"""Part of the fastest core's capacity, or of its highest frequency, below which a core is another
kind. Cores of one kind differ by some percent (favoured cores of Intel and AMD; the prime core of
an ARM cluster); E-cores, dense cores and LITTLE cores stay below three quarters."""


@described
@dataclass(frozen=True)
class Core:
    """A physical core."""

    cpus: tuple[int, ...]
    """Those of its hardware threads that we may use, ascending."""
    package: int = 0
    """The socket."""
    node: int = 0
    """The memory (NUMA) node."""
    kind: CoreKind = "performance"
    """Of a processor with two kinds of cores, which."""


@dataclass(frozen=True)
class Topology:
    """The physical cores of which we may use at least one thread, in the order of their CPUs."""

    cores: tuple[Core, ...]

    @property
    def cpus(self) -> tuple[int, ...]:
        """Every CPU we may use, ascending."""
        return tuple(sorted(cpu for core in self.cores for cpu in core.cpus))

    @property
    def threads_per_core(self) -> int:
        """Hardware threads of the core that has the most."""
        return max((len(core.cpus) for core in self.cores), default=1)

    @property
    def is_hybrid(self) -> bool:
        """Whether there are cores of two kinds."""
        return len({core.kind for core in self.cores}) > 1

    def nodes(self) -> dict[int, list[Core]]:
        """The cores by memory node."""
        found: dict[int, list[Core]] = {}
        for core in self.cores:
            found.setdefault(core.node, []).append(core)
        return found

    def of_kind(self, kind: CoreKind) -> list[Core]:
        """The cores of one kind."""
        return [core for core in self.cores if core.kind == kind]

    def cores_of(self, cpus: Iterable[int]) -> list[Core]:
        """The cores to which any of `cpus` belongs."""
        allowed = set(cpus)
        return [core for core in self.cores if allowed & set(core.cpus)]

    def describe(self) -> str:
        """One line: `16 CPUs: 4 performance cores with 2 threads each, 8 efficiency cores`."""
        parts = [_cores_text("physical", self.cores)]
        if self.is_hybrid:
            kinds: tuple[CoreKind, ...] = ("performance", "efficiency")
            parts = [_cores_text(kind, self.of_kind(kind)) for kind in kinds]
        packages = len({core.package for core in self.cores})
        nodes = len({core.node for core in self.cores})
        parts += [f"{packages} sockets"] * (packages > 1) + [f"{nodes} NUMA nodes"] * (nodes > 1)
        count = len(self.cpus)
        return f"{count} CPU{'' if count == 1 else 's'}: {', '.join(parts)}"


def read_topology(root: Path = Path("/"), allowed: Collection[int] | None = None) -> Topology:
    """Read what the kernel tells below `root`; `allowed` are the CPUs we may use.

    Without `allowed` they are those that the calling process's affinity leaves. What a kernel does
    not tell is taken as the simplest: a core for each CPU, one package, one node, one kind.
    """
    usable = sorted(os.sched_getaffinity(0) if allowed is None else allowed)
    system = root / "sys/devices/system"
    nodes = _nodes(system / "node")
    kinds = _kinds(root / "sys/devices", usable)
    threads: dict[tuple[int, ...], list[int]] = {}
    for cpu in usable:
        threads.setdefault(_siblings(system / f"cpu/cpu{cpu}", cpu), []).append(cpu)
    return Topology(
        tuple(
            Core(
                cpus=tuple(cpus),
                package=_number(system / f"cpu/cpu{cpus[0]}/topology/physical_package_id", 0),
                node=nodes.get(cpus[0], 0),
                kind=kinds[cpus[0]],
            )
            for cpus in threads.values()
        )
    )


def flat(cpus: Iterable[int]) -> Topology:
    """A machine of which nothing is known: a core for each of `cpus`."""
    return Topology(tuple(Core((cpu,)) for cpu in cpus))


def _siblings(folder: Path, cpu: int) -> tuple[int, ...]:
    """All threads of the CPU's core, those we may not use included."""
    # The first name is the newer one, the second what kernels before 5.3 have.
    for name in ("core_cpus_list", "thread_siblings_list"):
        if found := _listed(folder / "topology" / name):
            return found
    return (cpu,)


def _nodes(folder: Path) -> dict[int, int]:
    found: dict[int, int] = {}
    for node in folder.glob("node[0-9]*"):
        number = node.name.removeprefix("node")
        if number.isdigit():
            found.update(dict.fromkeys(_listed(node / "cpulist"), int(number)))
    return found


def _kinds(devices: Path, cpus: Iterable[int]) -> dict[int, CoreKind]:
    """The kind of each CPU: as Intel's drivers say it, else by capacity, else by frequency."""
    cpus = list(cpus)
    slow = set(_listed(devices / "cpu_atom/cpus"))
    if slow and _listed(devices / "cpu_core/cpus"):
        return {cpu: "efficiency" if cpu in slow else "performance" for cpu in cpus}
    for name in ("cpu_capacity", "cpufreq/cpuinfo_max_freq"):
        each = {cpu: _number(devices / f"system/cpu/cpu{cpu}" / name, 0) for cpu in cpus}
        fastest = max(each.values(), default=0)
        if min(each.values(), default=0) > 0 and len(set(each.values())) > 1:
            return {
                cpu: "efficiency" if value < SLOWER * fastest else "performance"
                for cpu, value in each.items()
            }
    return dict.fromkeys(cpus, "performance")


def _cores_text(kind: str, cores: Sequence[Core]) -> str:
    count = len(cores)
    text = f"{count} {kind} core{'' if count == 1 else 's'}"
    threads = Counter(len(core.cpus) for core in cores)
    if set(threads) == {1}:
        return text
    if len(threads) == 1:
        return f"{text} with {next(iter(threads))} threads{'' if count == 1 else ' each'}"
    parts = (f"{number} with {size}" for size, number in sorted(threads.items(), reverse=True))
    return f"{text} ({', '.join(parts)} threads)"


def _listed(file: Path) -> tuple[int, ...]:
    try:
        text = file.read_text().strip()
        return parse_cpus(text) if text else ()
    except (OSError, UserError):
        return ()


def _number(file: Path, otherwise: int) -> int:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return otherwise
