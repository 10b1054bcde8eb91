"""Which cores each role may use: disjoint where the machine has the cores for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from webdyno.errors import UserError


@dataclass(frozen=True)
class Placement:
    """CPU sets of the three roles. Roles that share a core are named in `shared`."""

    server: tuple[int, ...]
    generator: tuple[int, ...]
    services: tuple[int, ...]
    shared: tuple[str, ...] = ()

    def describe(self) -> str:
        """One line for reports, such as `server on core 0, generator on core 1`."""
        text = f"server on {_cores(self.server)}, generator on {_cores(self.generator)}"
        if self.services != self.generator or self.shared:
            text += f", services on {_cores(self.services)}"
        if self.shared:
            text += f"; shared core: {' and '.join(self.shared)}"
        return text


def place(with_services: bool = False, server_cpus: int | None = None) -> Placement:
    """Split the cores this process may use.

    The generator gets a quarter of the cores (at least one), services a quarter where a scenario
    needs them, the server the rest, at most `server_cpus`. Hardware threads of one core stay in
    one set, because they share its execution units.
    """
    cores = _physical_cores(sorted(os.sched_getaffinity(0)))
    if len(cores) == 1:
        only = tuple(cores[0])
        return Placement(only, only, only, shared=("server", "generator", "services"))
    quarter = max(1, len(cores) // 4)
    generator = cores[-quarter:]
    rest = cores[:-quarter]
    shared: tuple[str, ...] = ()
    services = generator
    if with_services and len(rest) > 1:
        services, rest = rest[-max(1, len(cores) // 4) :], rest[: -max(1, len(cores) // 4)]
    elif with_services:
        # Two cores: services stay off the generator's, whose lateness would spoil every figure.
        services, shared = rest, ("server", "services")
    server = _flatten(rest)
    if server_cpus is not None:
        server = server[: max(1, server_cpus)]
    return Placement(server, _flatten(generator), _flatten(services), shared)


def narrowed_to(placement: Placement, server_cores: int | None) -> Placement:
    """`placement` with only so many of the server's cores; all where None.

    Raises `UserError` where there are fewer.
    """
    if server_cores is None:
        return placement
    if server_cores > len(placement.server):
        raise UserError(
            f"a load asks for {server_cores} cores for the server, which can have "
            f"{len(placement.server)} here ({placement.describe()}); leave these numbers out of "
            "its key 'cores', or use a larger machine"
        )
    return replace(placement, server=placement.server[:server_cores])


@contextmanager
def pinned(cpus: tuple[int, ...]) -> Iterator[None]:
    """Processes started inside the block inherit the affinity `cpus`.

    The calling thread's own affinity is changed for that moment, which needs no code to run
    between fork and exec.
    """
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _physical_cores(cpus: list[int]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for cpu in cpus:
        siblings = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            key = siblings.read_text().strip()
        except OSError:
            key = str(cpu)
        groups.setdefault(key, []).append(cpu)
    return list(groups.values())


def _flatten(cores: list[list[int]]) -> tuple[int, ...]:
    return tuple(cpu for core in cores for cpu in core)


def _cores(cpus: tuple[int, ...]) -> str:
    names = ", ".join(str(cpu) for cpu in cpus)
    return f"core {names}" if len(cpus) == 1 else f"cores {names}"
