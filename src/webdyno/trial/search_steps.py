"""The steps of a search for the rate at an objective: what each showed, and what is kept of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webdyno.catalog import quantity
from webdyno.catalog.load import Objective
from webdyno.store import histograms
from webdyno.store.search import SearchRecord, StepRecord
from webdyno.verdict.objective import Finding, Step
from webdyno.verdict.objective_step import Goal, Judged, Seen


@dataclass(frozen=True)
class Made:
    """A step that was made: the generator's result, and the observer's marks around it, if any."""

    step: Step
    judged: Judged
    result: dict[str, Any]
    marks: tuple[str, str] = ("", "")


def goal_of(load: Objective) -> Goal:
    """The load's objective as the search takes it."""
    share, limit_s = quantity.objective(load.objective)
    return Goal(
        quantile=share,
        limit_s=limit_s,
        errors=quantity.share_at_most(load.errors),
        tolerance=load.tolerance,
        step_s=load.step,
    )


def seen_of(
    goal: Goal, result: dict[str, Any], connections: int, server_share: float | None
) -> Seen:
    """What a step's result says of the objective; `connections` is how many requests can be under
    way at once, `server_share` None where nobody watched the server."""
    counts = result["counts"]
    from_send = result["latency_from_send_us"]["mean"] if counts["ok"] else 0.0
    whole = [row for row in result["series"] if row["second"] + 1 <= result["elapsed_s"] + 0.01]
    return Seen(
        offered=_asked(counts),
        ok=counts["ok"],
        late=_later(result["histograms"]["from_intended"], goal.limit_s),
        late_from_send=_later(result["histograms"]["from_send"], goal.limit_s),
        lag_s=result["send_lag_us"]["p50"] / 1e6 if counts["sent"] else 0.0,
        medians_s=[row["p50_us"] / 1e6 for row in whole if row["ok"]],
        generator_share=generator_share(result),
        server_share=server_share,
        busy_connections=result["throughput_rps"] * from_send / 1e6 / connections,
    )


def generator_share(result: dict[str, Any]) -> float:
    """CPU of the generator, as a share of its threads' cores."""
    generator = result["generator"]
    whole = max(result["elapsed_s"] * generator["threads"], 1e-9)
    return float(generator["cpu_seconds"] / whole)


def _asked(counts: dict[str, int]) -> int:
    """Requests of which the server may be judged: not those that never left for want of a file or
    port on this machine."""
    return counts["offered"] - counts.get("client_limit", 0)


def _later(encoded: str, limit_s: float) -> int:
    """Answers that came after the limit."""
    held = histograms.decode(encoded)
    return int(held.counts[held.values_us > limit_s * 1e6].sum())


def gentlest(made: list[Made]) -> Made | None:
    """The step with the lowest rate; None without any."""
    return min(made, key=lambda one: one.step.rate_rps, default=None)


def best_of(made: list[Made], finding: Finding) -> Made:
    """The step whose figures stand for the search: the one that confirmed the rate, else the best
    that held, else the gentlest. `made` holds one at least."""
    held = [
        one
        for one in made
        if one.judged.outcome == "held" and one.step.rate_rps <= (finding.held_rps or 0.0)
    ]
    confirmed = [one for one in held if one.step.purpose == "confirm"]
    if confirmed or held:
        return max(confirmed or held, key=lambda one: one.step.rate_rps)
    first = gentlest(made)
    assert first is not None
    return first


def record_of(
    load: Objective, goal: Goal, probe_rps: float, finding: Finding, made: list[Made]
) -> SearchRecord:
    """The search as it is stored: what was asked, what was found, every step."""
    return SearchRecord(
        objective=load.objective,
        quantile=goal.quantile,
        limit_s=goal.limit_s,
        errors_share=goal.errors,
        tolerance=goal.tolerance,
        probe_rps=probe_rps,
        kind=finding.kind,
        capacity_rps=finding.capacity_rps,
        low_rps=finding.low_rps,
        high_rps=finding.high_rps,
        held_rps=finding.held_rps,
        failed_rps=finding.failed_rps,
        reason=finding.reason,
        steps=[_step_record(goal, one) for one in made],
    )


def _step_record(goal: Goal, one: Made) -> StepRecord:
    result, counts = one.result, one.result["counts"]
    offered = max(_asked(counts), 1)
    lost = _asked(counts) - counts["ok"]
    encoded = result["histograms"]["from_intended"]
    latency = result["latency_us"] if counts["ok"] else None
    return StepRecord(
        rate_rps=round(one.step.rate_rps, 3),
        seconds=one.step.seconds,
        purpose=one.step.purpose,
        outcome=one.judged.outcome,
        reason=one.judged.reason,
        throughput_rps=result["throughput_rps"],
        late_share=(lost + _later(encoded, goal.limit_s)) / offered,
        errors_share=lost / offered,
        p50_us=latency["p50"] if latency else None,
        p99_us=latency["p99"] if latency else None,
        quantile_us=histograms.decode(encoded).quantile(goal.quantile) if latency else None,
        server_share=result.get("server_busy_share"),
        generator_share=generator_share(result),
    )
