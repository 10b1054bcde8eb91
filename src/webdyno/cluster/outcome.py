"""What a load from many machines says: one result, what limited it, or why it is void."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace

from pydantic import ValidationError

from webdyno.cluster.answers import Pings
from webdyno.cluster.clock import Clock
from webdyno.cluster.merge import merged
from webdyno.cluster.network import Limit, Link, limit, link
from webdyno.cluster.one_load import Part, Yield
from webdyno.cluster.tried_links import Tried
from webdyno.cluster.validity import Fault, cpu_share, faults_of
from webdyno.generators.result import LoadResult
from webdyno.store.histograms import UNREADABLE


@dataclass(frozen=True)
class AgentTold:
    """What is told of an agent; what is None was not seen, or does not apply."""

    address: str
    cores: int
    clock: Clock
    clock_after: Clock | None = None
    start_late_s: float | None = None
    started_unix_s: float | None = None
    counts: dict[str, int] | None = None
    throughput_rps: float | None = None
    cpu_share: float | None = None
    counters: dict[str, int] | None = None
    rtt_beside: Pings | None = None
    turns: int | None = None
    turns_late_s: float | None = None
    worst_turn_late_s: float | None = None

    def record(self) -> dict[str, object]:
        """For a result, without what is not known; the clock afterwards always stands there."""
        found = asdict(replace(self, rtt_beside=None))
        if self.rtt_beside is not None:
            found["rtt_beside"] = self.rtt_beside.model_dump()
        kept = ("clock_after",)
        return {key: value for key, value in found.items() if value is not None or key in kept}


@dataclass(frozen=True)
class Outcome:
    """`result` is None where an agent was lost. A load with `faults` is
    void: its figures are of another load than was asked for."""

    result: LoadResult | None
    server: str
    agents: list[AgentTold]
    faults: list[Fault]
    links: list[Link] = field(default_factory=list)
    together: dict[str, float] = field(default_factory=dict)
    limit: Limit | None = None
    overhead_s: float = 0.0
    skew_s: float = 0.0
    """How far apart the agents began, at most, the clocks' uncertainty included."""

    def record(self) -> dict[str, object]:
        """What is stored beside the result."""
        return {
            "server": self.server,
            "agents": [one.record() for one in self.agents],
            "void": [asdict(fault) for fault in self.faults],
            "network": {
                "links": [one.record() for one in self.links],
                "together_bytes_per_s": self.together,
            },
            "limit": asdict(self.limit) if self.limit else None,
            "start_skew_s": self.skew_s,
            "overhead_s": self.overhead_s,
        }


def outcome(made: Yield, tried: Tried, server: str) -> Outcome:
    """Judge what came of a load."""
    parts = made.parts
    told = [_agent(part) for part in parts]
    if made.faults or any(part.answer is None for part in parts):
        return Outcome(None, server, told, made.faults)
    raw = [part.answer.result for part in parts if part.answer is not None]
    try:
        results = [LoadResult.model_validate(one) for one in raw]
        whole = merged(raw)
        cores = sum(_usable(*both) for both in zip(results, parts, strict=True))
        whole["generator"]["cores"] = max(1, cores)
        result = LoadResult.model_validate(whole)
    except MALFORMED as error:
        return Outcome(None, server, told, _malformed(parts, error))
    both = list(zip(parts, results, strict=True))
    faults = [
        fault
        for part, one in both
        for fault in faults_of(part.address, one, part.cores, _clocks(part), _turns(part))
    ]
    links = [_link(part, one, tried) for part, one in both]
    resent = made.server.get("retransmitted", 0)
    own = {"resent": resent, "resent_share": resent / max(made.server.get("segments_sent", 0), 1)}
    return Outcome(
        result=result,
        server=server,
        agents=[_agent(part, one) for part, one in both],
        faults=faults,
        links=links,
        together=tried.together,
        limit=limit(links, server, tried.together, own),
        overhead_s=made.overhead_s,
        skew_s=_skew_s(both),
    )


MALFORMED = (KeyError, TypeError, AttributeError, IndexError, *UNREADABLE)
"""What comes of a result that no engine has made."""


def _malformed(parts: list[Part], error: Exception) -> list[Fault]:
    """Who says what cannot be: those whose part alone is none, else all, as parts of one load."""
    found = []
    for part in parts:
        assert part.answer is not None
        try:
            LoadResult.model_validate(part.answer.result)
            LoadResult.model_validate(merged([part.answer.result]))
        except MALFORMED as of_one:
            found.append(_fault(part.address, of_one))
    return found or [_fault(", ".join(part.address for part in parts), error)]


def _fault(address: str, error: Exception) -> Fault:
    lines = [line.strip() for line in str(error).splitlines()]
    what = " ".join(lines[:3] if isinstance(error, ValidationError) else lines[:1])[:200]
    return Fault(address, "malformed", f"{address} says what no engine says ({what})")


def _usable(result: LoadResult, part: Part) -> int:
    return min(result.generator.threads, part.cores)


def _skew_s(both: list[tuple[Part, LoadResult]]) -> float:
    earliest = min(-part.clock.uncertainty_s for part, _ in both)
    latest = max((one.start_late_us or 0.0) / 1e6 + part.clock.uncertainty_s for part, one in both)
    return latest - earliest


def _agent(part: Part, result: LoadResult | None = None) -> AgentTold:
    """What is told of an agent."""
    told = AgentTold(part.address, part.cores, part.clock, part.clock_after)
    if part.answer is None or result is None:
        return told
    late_s = _turns(part)
    return replace(
        told,
        start_late_s=(result.start_late_us or 0.0) / 1e6,
        started_unix_s=result.started_unix_s,
        counts=result.counts.by_kind(),
        throughput_rps=result.throughput_rps,
        cpu_share=cpu_share(result, part.cores),
        counters=part.answer.counters,
        rtt_beside=part.answer.pings,
        turns=len(late_s) or None,
        turns_late_s=sum(late_s) if late_s else None,
        worst_turn_late_s=max(late_s) if late_s else None,
    )


def _turns(part: Part) -> list[float]:
    """How late each of an agent's turns began."""
    return part.answer.turns_late_s if part.answer else []


def _link(part: Part, result: LoadResult, tried: Tried) -> Link:
    assert part.answer is not None
    return link(
        part.address,
        tried.alone[part.address],
        part.answer.counters,
        max(result.elapsed_s, 1e-3),
        (tried.rtt_s[part.address], part.answer.pings.median_s),
    )


def _clocks(part: Part) -> tuple[Clock, Clock]:
    return part.clock, part.clock_after or part.clock
