"""What a load from many machines says: one result, what limited it, or why it is void."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from webdyno.cluster.link.clock import Clock
from webdyno.cluster.load.link_rates import LinkRates
from webdyno.cluster.load.one_load import LoadPart, LoadYield
from webdyno.cluster.merging.merge import merged
from webdyno.cluster.merging.network import limit, link
from webdyno.cluster.merging.validity import Fault, cpu_share, faults_of, stolen_share
from webdyno.cluster.orders.answers import Hindered
from webdyno.generators.result import LoadResult
from webdyno.store.histograms import UNREADABLE
from webdyno.store.load_machines import (
    AgentRecord,
    FaultRecord,
    LimitRecord,
    LinkRecord,
    MachinesRecord,
    NetworkRecord,
    RoundTripsRecord,
)


@dataclass(frozen=True)
class LoadOutcome:
    """`result` is None where an agent was lost. A load with `faults` is
    void: its figures are of another load than was asked for."""

    result: LoadResult | None
    server: str
    agents: list[AgentRecord]
    faults: list[Fault]
    links: list[LinkRecord] = field(default_factory=list)
    together: dict[str, float] = field(default_factory=dict)
    limit: LimitRecord | None = None
    overhead_s: float = 0.0
    skew_s: float = 0.0
    """How far apart the agents began, at most, the clocks' uncertainty included."""

    def record(self) -> MachinesRecord:
        """What is stored beside the result."""
        return MachinesRecord(
            server=self.server,
            agents=self.agents,
            void=[FaultRecord(**asdict(fault)) for fault in self.faults],
            network=NetworkRecord(links=self.links, together_bytes_per_s=self.together),
            limit=self.limit,
            start_skew_s=self.skew_s,
            overhead_s=self.overhead_s,
        )


def outcome(load: LoadYield, rates: LinkRates, server: str) -> LoadOutcome:
    """Judge what came of a load."""
    parts = load.parts
    told = [_agent(part) for part in parts]
    if load.faults or any(part.answer is None for part in parts):
        return LoadOutcome(None, server, told, load.faults)
    results = [part.answer.result for part in parts if part.answer is not None]
    try:
        whole = merged(results)
    except MALFORMED as error:
        return LoadOutcome(None, server, told, _malformed(parts, error))
    both = list(zip(parts, results, strict=True))
    cores = max(1, sum(_usable(result, part) for part, result in both))
    spent = whole.generator.model_copy(update={"cores": cores})
    faults = [
        fault
        for part, one in both
        for fault in faults_of(
            part.address, one, part.cores, _clocks(part), _turns(part), _hindered(part)
        )
    ]
    links = [_link(part, one, rates) for part, one in both]
    resent = load.server.get("retransmitted", 0)
    own = {"resent": resent, "resent_share": resent / max(load.server.get("segments_sent", 0), 1)}
    return LoadOutcome(
        result=whole.model_copy(update={"generator": spent}),
        server=server,
        agents=[_agent(part, one) for part, one in both],
        faults=faults,
        links=links,
        together=rates.together,
        limit=limit(links, server, rates.together, own),
        overhead_s=load.overhead_s,
        skew_s=_skew_s(both),
    )


MALFORMED = (KeyError, AttributeError, *UNREADABLE)
"""What comes of a result that no engine has made."""


def _malformed(parts: list[LoadPart], error: Exception) -> list[Fault]:
    """Who sent invalid data: those whose part alone is none, else all, as parts of one load."""
    faults = []
    for part in parts:
        assert part.answer is not None
        try:
            merged([part.answer.result])
        except MALFORMED as of_one:
            faults.append(_fault(part.address, of_one))
    return faults or [_fault(", ".join(part.address for part in parts), error)]


def _fault(address: str, error: Exception) -> Fault:
    what = next(iter(str(error).splitlines()), "").strip()[:200]
    return Fault(address, "malformed", f"{address} sent an invalid result ({what})")


def _usable(result: LoadResult, part: LoadPart) -> int:
    return min(result.generator.threads, part.cores)


def _skew_s(both: Sequence[tuple[LoadPart, LoadResult]]) -> float:
    earliest = min(-part.clock.uncertainty_s for part, _ in both)
    latest = max((one.start_late_us or 0.0) / 1e6 + part.clock.uncertainty_s for part, one in both)
    return latest - earliest


def _agent(part: LoadPart, result: LoadResult | None = None) -> AgentRecord:
    """What is told of an agent."""
    told = AgentRecord(
        address=part.address,
        cores=part.cores,
        clock=part.clock.record(),
        clock_after=part.clock_after.record() if part.clock_after else None,
    )
    if part.answer is None or result is None:
        return told
    late_s = _turns(part)
    seen = {
        "start_late_s": (result.start_late_us or 0.0) / 1e6,
        "started_unix_s": result.started_unix_s,
        "counts": result.counts.by_kind(),
        "throughput_rps": result.throughput_rps,
        "cpu_share": cpu_share(result, part.cores),
        "stolen_share": stolen_share(result, part.cores, part.answer.hindered),
        "paused_share": part.answer.hindered.paused_share,
        "counters": part.answer.counters,
        "turns": len(late_s) or None,
        "turns_late_s": sum(late_s) if late_s else None,
        "worst_turn_late_s": max(late_s) if late_s else None,
        "rtt_beside": RoundTripsRecord(**dict(part.answer.pings)),
    }
    return told.model_copy(update=seen)


def _turns(part: LoadPart) -> list[float]:
    """How late each of an agent's turns began."""
    return part.answer.turns_late_s if part.answer else []


def _hindered(part: LoadPart) -> Hindered:
    """What kept an agent's machine from its part."""
    return part.answer.hindered if part.answer else Hindered()


def _link(part: LoadPart, result: LoadResult, rates: LinkRates) -> LinkRecord:
    assert part.answer is not None
    return link(
        part.address,
        rates.alone[part.address],
        part.answer.counters,
        max(result.elapsed_s, 1e-3),
        (rates.rtt_s[part.address], part.answer.pings.median_s),
    )


def _clocks(part: LoadPart) -> tuple[Clock, Clock]:
    return part.clock, part.clock_after or part.clock
