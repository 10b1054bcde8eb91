"""One step of the search for an objective: did the server meet it at this rate?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

StepOutcome = Literal["held", "failed", "unheld"]
"""held: the objective was met; failed: it was not, by the server's doing; unheld: it was not, but
the generator could not hold its schedule, so that nothing is known of the server."""

BEYOND = 10
"""Answers that should lie beyond the quantile, as in the flag `few-answers`: with fewer the
quantile is decided by a handful of requests."""

FALLING_BEHIND = 0.25
"""Part of the tolerance by which a server may fall behind the schedule. One that falls behind by
1% of the time is overloaded, though a short step ends before its answers are late enough."""

GROWTH = 1.5
"""By what factor the median latency must also have grown: queues near the limit wax and wane."""

GENERATOR_BUSY = 0.9
"""CPU share from which the generator may have been the limit, as in `verdict.limits.limit`."""

FREE = 0.5
"""Part of the connections in use below which none was waited for: a late send is then the
generator's own."""


@dataclass(frozen=True)
class Goal:
    """What is to be met: a share `quantile` of the requests answered within `limit_s`, and at most
    a share `errors` of them failed. `tolerance` is how closely the rate is looked for (0.05: to
    5%), `step_s` the usual length of a step."""

    quantile: float
    limit_s: float
    errors: float = 0.001
    tolerance: float = 0.05
    step_s: float = 2.0

    @property
    def needed(self) -> float:
        """Requests that a step must hold, so that `BEYOND` of them lie beyond the quantile."""
        return BEYOND / (1 - self.quantile)

    def seconds_at(self, rate_rps: float) -> float:
        """How long a step at this rate has to be."""
        return max(self.step_s, self.needed / rate_rps)


@dataclass(frozen=True)
class StepResult:
    """What a step showed. `late` counts right answers after the limit, from the intended send;
    `late_from_send` the same from the actual one; `medians_s` are the median latencies of its
    whole seconds in order, `lag_s` the median time from the intended send to the actual one.
    `generator_share` and `server_share` are CPU shares (None where not
    known), `busy_connections` the part of the connections with a request under way."""

    offered: int
    ok: int
    late: int
    late_from_send: int = 0
    medians_s: Sequence[float] = ()
    lag_s: float = 0.0
    generator_share: float = 0.0
    server_share: float | None = None
    busy_connections: float = 0.0


@dataclass(frozen=True)
class StepJudgement:
    """What a step says, and why in a few words."""

    outcome: StepOutcome
    reason: str


def judge_step(goal: Goal, result: StepResult) -> StepJudgement:
    """Whether the objective was met.

    A request that was never answered counts as late, so that dropping the slow ones helps nobody.
    """
    if not result.offered:
        return StepJudgement("unheld", "no request was due")
    lost = result.offered - result.ok
    errors = lost / result.offered
    slow = (lost + result.late) / result.offered
    behind = _falls_behind(goal, result.medians_s)
    if slow <= 1 - goal.quantile and errors <= goal.errors and not behind:
        return StepJudgement("held", f"{slow:.2%} late or failed")
    late = slow > 1 - goal.quantile
    if errors > goal.errors:
        reason = f"{errors:.2%} failed"
    elif late:
        reason = f"{slow:.2%} late or failed"
    else:
        reason = f"the server fell {behind * 1000:.0f} ms further behind each second"
    if blame := _generators_fault(goal, result, lost, late=late):
        return StepJudgement("unheld", f"{reason}, but {blame}")
    return StepJudgement("failed", reason)


def _falls_behind(goal: Goal, medians_s: Sequence[float]) -> float:
    """Seconds by which latency grew in each second, where that means overload; else 0."""
    if len(medians_s) < 2:
        return 0.0
    first, last = medians_s[0], medians_s[-1]
    growth = (last - first) / (len(medians_s) - 1)
    overloaded = growth > FALLING_BEHIND * goal.tolerance and last > GROWTH * first
    return growth if overloaded else 0.0


def _generators_fault(goal: Goal, result: StepResult, lost: int, *, late: bool) -> str:
    """Why a missed objective says nothing of the server; empty where it does.

    `late` tells that answers were, not only that the latency grew.
    """
    server = result.server_share or 0.0
    if result.generator_share >= GENERATOR_BUSY and server < GENERATOR_BUSY:
        return f"the generator used {result.generator_share:.0%} of its cores"
    if result.busy_connections >= FREE or lost > goal.errors * result.offered:
        return ""
    if late:
        in_time = (lost + result.late_from_send) / result.offered <= 1 - goal.quantile
        return "in time from the actual send: the generator sent late" if in_time else ""
    # A generator that falls behind does so by twice the median lag from first to last.
    if result.medians_s and 2 * result.lag_s >= result.medians_s[-1] - result.medians_s[0]:
        return "the generator itself kept falling behind"
    return ""
