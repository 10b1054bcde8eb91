"""What each role gets of this machine, why, and what its shape does to figures."""

from __future__ import annotations

from webdyno.runtime.machine.placement import ROLES, Placement
from webdyno.runtime.machine.topology import Topology


def roles(usual: Placement, with_services: Placement, whole: Topology) -> dict[str, str]:
    """The machine in a line, and one for each role. `with_services` is the placement of scenarios
    that need any; `whole` is all that this process may run on, of which a quota may leave less."""
    machine = usual.machine
    by_quota = machine != whole
    of_quota = f"; a quota allows {len(machine.cpus)} of these CPUs" if by_quota else ""
    count = len(machine.cores_of(usual.generator))
    threads = usual.generator_threads
    load = f"{threads} thread{'' if threads == 1 else 's'}, one per core; "
    more = len(machine.cores) > 2
    if more:
        load += "takes more cores if it is the limit"
    else:
        load += "the quota allows no more cores" if by_quota else "there are no more cores"
    found = {
        "Machine": whole.describe() + of_quota,
        "Server": f"{usual.words(usual.server)}: {_why_server(usual)}",
        "Generator": f"{usual.words(usual.generator)}: {load}",
    }
    if "services" in with_services.shared:
        found["Services"] = f"{with_services.words(with_services.services)}: shared with the server"
    else:
        less = ", taken from the server" if with_services.server != usual.server else ""
        found["Services"] = (
            f"{with_services.words(with_services.services)}, if the scenario has any{less}"
        )
    if usual.observer not in usual.generator[:count]:
        found["Observer"] = f"CPU {usual.observer}, which no load thread uses"
    return found


def cautions(placement: Placement) -> list[str]:
    """What to know before believing figures from such a machine."""
    machine = placement.machine
    texts = []
    if placement.shared == ROLES:
        texts.append(
            "Server, generator and services share the only CPU: ratios between servers "
            "look closer to 1."
        )
    if placement.siblings:
        texts.append(
            f"The {' and the '.join(placement.siblings)} are threads of one physical core: while "
            "one works, the other is slowed by about a third. Throughput is lower, CPU time per "
            "request higher, and ratios between servers closer to 1 than on cores of their own."
        )
    elif machine.threads_per_core > 1:
        texts.append(
            "CPUs are hardware threads: a core's second thread adds only a fraction of the first. "
            "Loads with 'cores' use one thread of each physical core first."
        )
    if machine.is_hybrid:
        texts.append(
            "There are fast and slow cores. Servers are measured on fast cores only; keep other "
            "programs off these during a run."
        )
    if len(nodes := machine.nodes()) > 1:
        used = len({core.node for core in machine.cores_of(placement.server)})
        texts.append(
            f"Memory has {len(nodes)} nodes (NUMA): the server has cores of "
            f"{'one' if used == 1 else used} of them. Choose others with --server-cpus."
        )
    return texts


def _why_server(placement: Placement) -> str:
    if placement.shared == ROLES:
        return "the only one"
    machine = placement.machine
    parts = ["the rest"]
    if machine.is_hybrid:
        parts.append("of the fast cores")
    if len(machine.nodes()) > 1:
        parts.append("of one memory node")
    return " ".join(parts) if len(parts) > 1 else "what the generator leaves"
