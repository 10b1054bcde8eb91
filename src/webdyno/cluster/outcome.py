"""What a load from many machines says: one result, what limited it, or why it is void."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from webdyno.cluster.merge import merged
from webdyno.cluster.network import Limit, Link, limit, link
from webdyno.cluster.one_load import Part, Yield
from webdyno.cluster.tried_links import Tried
from webdyno.cluster.validity import Fault, cpu_share, faults_of
from webdyno.generators.result import LoadResult


@dataclass(frozen=True)
class Outcome:
    """`result` is None where an agent was lost. A load with `faults` is
    void: its figures are of another load than was asked for."""

    result: LoadResult | None
    server: str
    agents: list[dict[str, Any]]
    faults: list[Fault]
    links: list[Link] = field(default_factory=list)
    together: dict[str, float] = field(default_factory=dict)
    limit: Limit | None = None
    overhead_s: float = 0.0
    skew_s: float = 0.0
    """How far apart the agents began, at most, the clocks' uncertainty included."""

    def record(self) -> dict[str, Any]:
        """What is stored beside the result."""
        return {
            "server": self.server,
            "agents": self.agents,
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
    if made.faults or any(part.answer is None for part in parts):
        return Outcome(None, server, [_agent(part) for part in parts], made.faults)
    results = [_result(part) for part in parts]
    whole = merged(results)
    generators = [result["generator"]["threads"] for result in results]
    usable = (min(threads, part.cores) for threads, part in zip(generators, parts, strict=True))
    whole["generator"]["cores"] = max(1, sum(usable))
    faults = [
        fault
        for part, result in zip(parts, results, strict=True)
        for fault in faults_of(part.address, result, part.cores, _clocks(part), _turns(part))
    ]
    links = [_link(part, tried) for part in parts]
    resent = made.server.get("retransmitted", 0)
    own = {"resent": resent, "resent_share": resent / max(made.server.get("segments_sent", 0), 1)}
    return Outcome(
        result=LoadResult.model_validate(whole),
        server=server,
        agents=[_agent(part) for part in parts],
        faults=faults,
        links=links,
        together=tried.together,
        limit=limit(links, server, tried.together, own),
        overhead_s=made.overhead_s,
        skew_s=_skew_s(parts),
    )


def _skew_s(parts: list[Part]) -> float:
    earliest = min(-part.clock.uncertainty_s for part in parts)
    latest = max(
        (_result(part)["start_late_us"] or 0.0) / 1e6 + part.clock.uncertainty_s for part in parts
    )
    return latest - earliest


def _agent(part: Part) -> dict[str, Any]:
    """What is told of an agent."""
    told: dict[str, Any] = {
        "address": part.address,
        "cores": part.cores,
        "clock": part.clock.record(),
        "clock_after": part.clock_after.record() if part.clock_after else None,
    }
    if part.answer is None:
        return told
    result = _result(part)
    return {
        **told,
        "start_late_s": (result["start_late_us"] or 0.0) / 1e6,
        "started_unix_s": result["started_unix_s"],
        "counts": result["counts"],
        "throughput_rps": result["throughput_rps"],
        "cpu_share": cpu_share(result, part.cores),
        "counters": part.answer["counters"],
        "rtt_beside": part.answer["pings"],
        **_turns_told(_turns(part)),
    }


def _turns(part: Part) -> list[float]:
    """How late each of an agent's turns began."""
    found: list[float] = (part.answer or {}).get("turns_late_s", [])
    return found


def _turns_told(late_s: list[float]) -> dict[str, Any]:
    if not late_s:
        return {}
    return {"turns": len(late_s), "turns_late_s": sum(late_s), "worst_turn_late_s": max(late_s)}


def _link(part: Part, tried: Tried) -> Link:
    assert part.answer is not None
    return link(
        part.address,
        tried.alone[part.address],
        part.answer["counters"],
        max(_result(part)["elapsed_s"], 1e-3),
        (tried.rtt_s[part.address], part.answer["pings"].get("median_s")),
    )


def _clocks(part: Part) -> tuple[dict[str, Any], dict[str, Any]]:
    after = part.clock_after or part.clock
    return part.clock.record(), after.record()


def _result(part: Part) -> dict[str, Any]:
    assert part.answer is not None
    found: dict[str, Any] = part.answer["result"]
    return found
