"""Which CPUs each role has: whole physical cores, disjoint where the machine has enough of them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from webdyno.catalog.terms.cpus import cpus_text
from webdyno.errors import UserError
from webdyno.runtime.machine.topology import Core, Topology, flat

ROLES = ("server", "generator", "services")


@dataclass(frozen=True)
class RemoteRoles:
    """Roles on machines of their own. `load_threads` are those of all load machines together;
    without a `service`, the server's machine holds the services."""

    server: str
    load: tuple[str, ...]
    load_threads: int
    service: str = ""
    service_cores: int = 0

    def describe(self, server: str, services: str) -> str:
        """One line, where `server` and `services` are cores of the server's machine."""
        text = f"server on {server} of {self.server}, load from {' and '.join(self.load)}"
        if self.service:
            return f"{text}, services on {self.service}"
        return f"{text}, services on {services} of {self.server}" if services else text


@dataclass(frozen=True)
class Placement:
    """CPU sets of the three roles: one thread of each physical core first, then their siblings.

    Roles that have the same CPUs are named in `shared`. Without services theirs is the generator's
    set. `topology` is the machine they were chosen from.
    """

    server: tuple[int, ...]
    generator: tuple[int, ...]
    services: tuple[int, ...]
    shared: tuple[str, ...] = ()
    topology: Topology | None = field(default=None, compare=False, repr=False)
    elsewhere: RemoteRoles | None = None
    """Who makes the load and holds the services, where other machines do."""

    @property
    def machine(self) -> Topology:
        """The topology; where none was read, a core for each CPU."""
        used = {*self.server, *self.generator, *self.services}
        return self.topology or flat(sorted(used))

    @property
    def generator_threads(self) -> int:
        """One for each physical core of the generator: a sibling would take as much as it gives."""
        if self.elsewhere is not None:
            return self.elsewhere.load_threads
        return len(self.machine.cores_of(self.generator))

    @property
    def siblings(self) -> tuple[str, ...]:
        """Roles that have different threads of one physical core."""
        machine, sets = self.machine, {role: getattr(self, role) for role in ROLES}
        if self.services in (self.generator, self.server):
            del sets["services"]
        found = {
            role
            for role, cpus in sets.items()
            for other, theirs in sets.items()
            if role != other
            and not set(cpus) & set(theirs)
            and set(machine.cores_of(cpus)) & set(machine.cores_of(theirs))
        }
        return tuple(role for role in ROLES if role in found)

    @property
    def observer(self) -> int:
        """Where processes are watched from: a core that nobody has, else the generator's last CPU,
        which is a load thread's own only where there is no other."""
        taken = {*self.server, *self.generator, *self.services}
        idle = [core for core in self.machine.cores if not taken & set(core.cpus)]
        return idle[-1].cpus[-1] if idle else self.generator[-1]

    def describe(self) -> str:
        """One line for reports, such as `server on core 0, generator on core 1`."""
        if self.elsewhere is not None:
            services = "" if self.services == self.generator else self.words(self.services)
            return self.elsewhere.describe(self.words(self.server), services)
        text = f"server on {self.words(self.server)}, generator on {self.words(self.generator)}"
        if self.services != self.generator or self.shared:
            text += f", services on {self.words(self.services)}"
        if self.shared:
            text += f"; shared core: {' and '.join(self.shared)}"
        if self.siblings:
            text += f"; threads of one physical core: {' and '.join(self.siblings)}"
        return text

    def words(self, cpus: tuple[int, ...]) -> str:
        """`core 0`, or `CPUs 0-5 (3 performance cores, 2 threads each)`."""
        cores = self.machine.cores_of(cpus)
        threads = self.machine.threads_per_core
        several = len(self.machine.nodes()) > 1
        if threads == 1 and not self.machine.is_hybrid and not several:
            return f"core {cpus[0]}" if len(cpus) == 1 else f"cores {cpus_text(cpus)}"
        kinds = {core.kind for core in cores}
        kind = f"{next(iter(kinds))} " if self.machine.is_hybrid and len(kinds) == 1 else ""
        parts = [f"{len(cores)} {kind}core{'' if len(cores) == 1 else 's'}"]
        parts += [_threads_of(cores, cpus)] if threads > 1 else []
        if several:
            nodes = sorted({core.node for core in cores})
            parts.append(f"node{'s' * (len(nodes) > 1)} {cpus_text(nodes)}")
        text = ", ".join(part for part in parts if part)
        return f"CPU{'' if len(cpus) == 1 else 's'} {cpus_text(cpus)} ({text})"


def narrowed_to(placement: Placement, server_cores: int | None) -> Placement:
    """`placement` with only so many of the server's cores; all where None.

    One thread of each physical core comes first, so that two cores are two physical ones. Raises
    `UserError` where there are fewer CPUs.
    """
    if server_cores is None:
        return placement
    if server_cores > len(placement.server):
        raise UserError(
            f"a load gives the server {server_cores} cores, but only {len(placement.server)} are "
            f"available here ({placement.describe()}); lower its 'cores', or use a larger machine"
        )
    return replace(placement, server=placement.server[:server_cores])


def whole_cores_first(cores: Iterable[Core]) -> tuple[int, ...]:
    """The CPUs of `cores`: a thread of each, then their second threads, and so on."""
    ranked = [(rank, cpu) for core in cores for rank, cpu in enumerate(core.cpus)]
    return tuple(cpu for _, cpu in sorted(ranked, key=lambda one: one[0]))


@contextmanager
def pinned(cpus: Collection[int]) -> Iterator[None]:
    """What the calling thread does inside the block it does on `cpus`, and processes that it starts
    there inherit them.

    Its own affinity is changed for that moment, which needs no code to run between fork and exec.
    """
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _threads_of(cores: list[Core], cpus: Iterable[int]) -> str:
    """How many threads of each of `cores` are among `cpus`."""
    chosen = set(cpus)
    taken = sorted({len(chosen & set(core.cpus)) for core in cores})
    if taken == [1]:
        return "1 thread each" if len(cores) > 1 else "1 thread"
    if len(taken) == 1:
        return f"{taken[0]} threads{' each' if len(cores) > 1 else ''}"
    return f"{taken[0]} or {taken[-1]} threads each"
