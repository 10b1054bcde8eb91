"""The steps of a search for the rate at an objective: what each showed, and what is kept of all."""

from __future__ import annotations

from dataclasses import dataclass

from webdyno.catalog.loads.load import Objective
from webdyno.catalog.terms import quantity
from webdyno.generators.result import LoadResult
from webdyno.store import histograms
from webdyno.store.search import SearchRecord, SearchStep
from webdyno.verdict.search.objective import NextStep, SearchFinding
from webdyno.verdict.search.objective_step import Goal, StepJudgement, StepResult


@dataclass(frozen=True)
class SearchedStep:
    """A step that was made; `server_share` is how busy the server's cores were, None where nobody
    watched."""

    step: NextStep
    judged: StepJudgement
    result: LoadResult
    server_share: float | None = None


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


def step_result(
    goal: Goal, result: LoadResult, connections: int, server_share: float | None
) -> StepResult:
    """What a step's result says of the objective; `connections` is how many requests can be under
    way at once, `server_share` None where nobody watched the server."""
    counts = result.counts
    from_send, lag = result.latency_from_send_us, result.send_lag_us
    whole = [row for row in result.series if row.second + 1 <= result.elapsed_s + 0.01]
    return StepResult(
        offered=counts.judged,
        ok=counts.ok,
        late=_later(result.histograms["from_intended"], goal.limit_s),
        late_from_send=_later(result.histograms["from_send"], goal.limit_s),
        lag_s=lag.p50 / 1e6 if lag else 0.0,
        medians_s=[(row.p50_us or 0.0) / 1e6 for row in whole if row.ok],
        generator_share=result.generator_share,
        server_share=server_share,
        busy_connections=(
            result.throughput_rps * (from_send.mean if from_send else 0.0) / 1e6 / connections
        ),
    )


def _later(encoded: str, limit_s: float) -> int:
    """Answers that came after the limit."""
    held = histograms.decode(encoded)
    return int(held.counts[held.values_us > limit_s * 1e6].sum())


def gentlest(steps: list[SearchedStep]) -> SearchedStep | None:
    """The step with the lowest rate; None without any."""
    return min(steps, key=lambda one: one.step.rate_rps, default=None)


def best_of(steps: list[SearchedStep], finding: SearchFinding) -> SearchedStep:
    """The step whose figures stand for the search: the one that confirmed the rate, else the best
    that held, else the gentlest. `steps` holds one at least."""
    held = [
        one
        for one in steps
        if one.judged.outcome == "held" and one.step.rate_rps <= (finding.held_rps or 0.0)
    ]
    confirmed = [one for one in held if one.step.purpose == "confirm"]
    if confirmed or held:
        return max(confirmed or held, key=lambda one: one.step.rate_rps)
    first = gentlest(steps)
    assert first is not None
    return first


def search_record(
    load: Objective, goal: Goal, probe_rps: float, finding: SearchFinding, steps: list[SearchedStep]
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
        steps=[_step_record(goal, one) for one in steps],
    )


def _step_record(goal: Goal, one: SearchedStep) -> SearchStep:
    result, counts = one.result, one.result.counts
    offered = max(counts.judged, 1)
    lost = counts.judged - counts.ok
    encoded = result.histograms["from_intended"]
    latency = result.latency_us
    return SearchStep(
        rate_rps=round(one.step.rate_rps, 3),
        seconds=one.step.seconds,
        purpose=one.step.purpose,
        outcome=one.judged.outcome,
        reason=one.judged.reason,
        throughput_rps=result.throughput_rps,
        late_share=(lost + _later(encoded, goal.limit_s)) / offered,
        errors_share=lost / offered,
        p50_us=latency.p50 if latency else None,
        p99_us=latency.p99 if latency else None,
        quantile_us=histograms.decode(encoded).quantile(goal.quantile) if latency else None,
        server_share=one.server_share,
        generator_share=result.generator_share,
    )
