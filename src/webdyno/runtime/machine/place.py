"""Choosing the CPUs of each role from what the machine has.

Whole physical cores, because threads of one core share its execution units. One memory node for
the server rather than two, because what it stores in the other one is farther away. One kind of
core for the server, the fast one. What that leaves over stays idle, or goes to a generator that
needs it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from webdyno.catalog.terms.cpus import cpus_text
from webdyno.errors import UserError
from webdyno.runtime.confinement.cgroup import limits
from webdyno.runtime.machine.placement import ROLES, Placement, whole_cores_first
from webdyno.runtime.machine.topology import Core, Topology, flat, read_topology

KEYS = {role: f"placement.{role} (--{role.removesuffix('s')}-cpus)" for role in ROLES}
"""How errors name the CPUs that the user asked for."""


@dataclass(frozen=True)
class PlacementRequest:
    """What is asked of a placement beyond the machine's own shape.

    - `server_cpus`: CPUs of the server at most, where a study limits them.
    - `at_least`: CPUs that some load gives the server; two memory nodes rather than fewer.
    - `generator_cores`: physical cores of the generator, instead of a quarter.
    - `by_hand`: CPUs by role, as the user gave them.
    """

    with_services: bool = False
    server_cpus: int | None = None
    at_least: int = 0
    generator_cores: int | None = None
    by_hand: tuple[tuple[str, tuple[int, ...]], ...] = ()


def place(
    with_services: bool = False,
    server_cpus: int | None = None,
    *,
    request: PlacementRequest | None = None,
    topology: Topology | None = None,
) -> Placement:
    """Split the CPUs that this process may use.

    The generator gets a quarter of the fast cores (at least one), services a quarter where a
    scenario needs them, the server the rest of one memory node. Raises `UserError` for CPUs given
    by hand that cannot be had.
    """
    request = request or PlacementRequest(with_services, server_cpus)
    if topology is None:
        quota = None if request.by_hand else limits().cpus
        topology = within_quota(read_topology(), quota)
    if request.by_hand:
        return _by_hand(topology, request)
    if len(topology.cores) == 1:
        return _one_core(topology, request)
    return _split(topology, request)


def within_quota(topology: Topology, cpus: float | None) -> Topology:
    """So much of `topology` that its roles together cannot use up a quota of `cpus` around us,
    which would pause them all at once; two cores at least, one thread of each, the fast ones of one
    node first. All of it where there is no such quota.
    """
    cores = topology.cores
    if cpus is None or cpus >= len(topology.cpus) or len(cores) < 2:
        return topology
    few = min(len(cores), max(2, math.floor(cpus)))
    home = _home([core for core in cores if core.kind == "performance"] or cores)
    best = sorted(cores, key=lambda core: (core.kind != "performance", core.node != home))
    kept = sorted(best[:few], key=lambda core: core.cpus)
    return Topology(tuple(replace(core, cpus=core.cpus[:1]) for core in kept))


def load_cores(topology: Topology | None = None, quota: float | None = None) -> int:
    """Threads of load that can run at once on a machine which does nothing else: one for each
    physical core, as a sibling would take as much as it gives, and no more than a quota allows.

    Of this machine, where no `topology` is given.
    """
    if topology is None:
        topology, quota = read_topology(), limits().cpus
    cores = len(topology.cores)
    return max(1, cores if quota is None else min(cores, math.floor(quota)))


def with_more_generator_cores(
    placement: Placement, request: PlacementRequest, server_cores: int | None = None
) -> PlacementRequest | None:
    """`request` with twice the cores for the generator; None where the server must keep the rest.

    The server keeps a third of its pool, and as many physical cores as `server_cores` asks for.
    Nothing is taken from CPUs that were given by hand.
    """
    if placement.shared == ROLES or dict(request.by_hand).keys() & {"generator", "server"}:
        return None
    machine = placement.machine
    now = len(machine.cores_of(placement.generator))
    for more in range(2 * now, now, -1):
        wider = replace(request, generator_cores=more)
        found = place(request=wider, topology=machine)
        before, kept = (len(machine.cores_of(p.server)) for p in (placement, found))
        pool = now + before
        enough = max(1, pool // 3, min(server_cores or 1, before))
        gained = len(machine.cores_of(found.generator))
        if gained > now and (kept >= enough or kept == before):
            return replace(request, generator_cores=gained)
    return None


def _one_core(topology: Topology, request: PlacementRequest) -> Placement:
    """Threads of one core are given out as cores are: each role computes a little slower for it,
    but none has to wait until the other is off the CPU."""
    cpus = topology.cpus
    if len(cpus) == 1:
        return Placement(cpus, cpus, cpus, ROLES, topology)
    return replace(_split(flat(cpus), request), topology=topology)


def _split(topology: Topology, request: PlacementRequest) -> Placement:
    fast = topology.of_kind("performance") if topology.is_hybrid else list(topology.cores)
    slow = topology.of_kind("efficiency") if topology.is_hybrid else []
    quarter = max(1, len(fast) // 4)
    home = _home(fast)
    # In the order in which they are given away: other nodes first, then the end of the server's.
    elsewhere = sorted(
        (core for core in fast if core.node != home),
        key=lambda core: (_size(fast, core.node) < quarter, core.node),
    )
    giving = elsewhere + [core for core in reversed(fast) if core.node == home]
    # The last of them is the server's.
    giving = giving[: len(fast) - 1]
    order = giving[:quarter] + slow + giving[quarter:]
    services, shared = _services(giving, slow, quarter, request)
    left = [core for core in order if core not in services]
    generator = left[: request.generator_cores or quarter] or order[:1]
    taken = {*generator, *services}
    own = [core for core in fast if core.node == home and core not in taken]
    server = whole_cores_first(own)
    needed = max(request.at_least, request.server_cpus or 0)
    if needed > len(server):
        server = whole_cores_first([*own, *(core for core in elsewhere if core not in taken)])
    server = server[: max(1, request.server_cpus)] if request.server_cpus is not None else server
    load = whole_cores_first(sorted(generator, key=lambda core: (core in slow, core.cpus)))
    if shared:
        return Placement(server, load, server, shared, topology)
    return Placement(server, load, whole_cores_first(_ordered(services)) or load, (), topology)


def _services(
    giving: Sequence[Core], slow: Sequence[Core], quarter: int, request: PlacementRequest
) -> tuple[list[Core], tuple[str, ...]]:
    """The cores of services, or who shares the server's with them.

    Where nothing is left they stay off the generator's, whose lateness would spoil every figure.
    """
    if not request.with_services:
        return [], ()
    if len(giving) >= 2 * quarter:
        return list(giving[quarter : 2 * quarter]), ()
    if len(slow) > 1 or (slow and giving):
        return list(slow[-max(1, len(slow) // 4) :]), ()
    return [], ("server", "services")


def _by_hand(topology: Topology, request: PlacementRequest) -> Placement:
    given = dict(request.by_hand)
    check_by_hand(given, topology.cpus)
    sets = {role: _ranked(topology, cpus) for role, cpus in given.items()}
    cores = _left_over(topology, {cpu for cpus in given.values() for cpu in cpus})
    missing = [role for role in ("server", "generator") if role not in sets]
    shared: tuple[str, ...] = ()
    if missing and not cores:
        raise UserError(
            f"{', '.join(KEYS[role] for role in given)}: no CPU is left for the "
            f"{' and the '.join(missing)}; give fewer of {cpus_text(topology.cpus)}"
        )
    if len(missing) == 2:
        other = place(topology=Topology(tuple(cores)))
        sets |= {"server": other.server, "generator": other.generator}
        shared = ("server", "generator") if other.shared else ()
        missing, cores = [], []
    quarter = max(1, len(topology.cores) // 4)
    if request.with_services and "services" not in sets and len(cores) > len(missing):
        few = min(quarter, len(cores) - len(missing))
        sets["services"], cores = whole_cores_first(cores[-few:]), cores[:-few]
    if missing == ["generator"]:
        sets["generator"] = whole_cores_first(cores[-quarter:])
    elif missing == ["server"]:
        sets["server"] = whole_cores_first(cores)
    if "services" not in sets:
        sets["services"] = sets["server"] if request.with_services else sets["generator"]
        shared = ("server", "services") if request.with_services else shared
    return Placement(sets["server"], sets["generator"], sets["services"], shared, topology)


def check_by_hand(cpus_by_role: dict[str, tuple[int, ...]], allowed: Collection[int]) -> None:
    """Raise `UserError` for CPUs that this process may not use, or that two roles would have."""
    for role, cpus in cpus_by_role.items():
        if outside := sorted(set(cpus) - set(allowed)):
            raise UserError(
                f"{KEYS[role]}: CPU {cpus_text(outside)} is not available here; choose from "
                f"{cpus_text(allowed)}"
            )
        for other, theirs in cpus_by_role.items():
            if role < other and (both := set(cpus) & set(theirs)):
                raise UserError(
                    f"{KEYS[role]} and {KEYS[other]} both have CPU {cpus_text(both)}; "
                    "give each role CPUs of its own"
                )


def _left_over(topology: Topology, taken: Collection[int]) -> list[Core]:
    """The cores of which nothing is taken; where there is none, threads that are left."""
    whole = [core for core in topology.cores if not set(core.cpus) & set(taken)]
    parts = (
        replace(core, cpus=tuple(cpu for cpu in core.cpus if cpu not in taken))
        for core in topology.cores
    )
    return whole or [core for core in parts if core.cpus]


def _ranked(topology: Topology, cpus: Collection[int]) -> tuple[int, ...]:
    """`cpus`, a thread of each core first."""
    chosen = set(cpus)
    cores = topology.cores_of(cpus)
    return whole_cores_first(
        replace(core, cpus=tuple(cpu for cpu in core.cpus if cpu in chosen)) for core in cores
    )


def _home(cores: Sequence[Core]) -> int:
    """The memory node with the most of `cores`, the first of several."""
    return min({core.node for core in cores}, key=lambda node: (-_size(cores, node), node))


def _size(cores: Sequence[Core], node: int) -> int:
    return sum(core.node == node for core in cores)


def _ordered(cores: Sequence[Core]) -> list[Core]:
    return sorted(cores, key=lambda core: core.cpus)
