"""The search for the highest rate at which a server meets an objective: pure logic, no I/O.

A trial asks `Search.next` for a step, makes it, tells `Search.learn` how it went, and at the end
reads `Search.finding`. docs/verdict.md explains it, and says how often it is right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from webdyno.verdict.search.belief import Belief
from webdyno.verdict.search.objective_step import FALLING_BEHIND, Goal, StepJudgement, StepOutcome

Purpose = Literal["search", "floor", "confirm", "refute"]
"""search: where a step tells most; floor: at the lowest rate, after nothing held; confirm and
refute: at the ends of what is left, to see it hold below and fail above."""

SearchKind = Literal["met", "at-least", "not-met", "undecided"]
"""met: found; at-least: held up to a bound that was not the server's; not-met: at no rate;
undecided: the steps ran out before the rate was known to the tolerance, or the generator could make
none of them, which leaves the rate at 0."""

CONFIDENCE = 0.95

CONFIRM_STEPS = 2
"""The confirming step is so many times as long as others; its figures are the trial's."""

LONGEST_STEPS = 8
"""No step is longer than this many usual ones: what needs more cannot be shown."""

MOST_STEPS = 18

MOST_TIME_STEPS = 40
"""A search ends, decided or not, once it has taken as long as so many usual steps."""

FAILED_AT_FIRST = 3
"""After so many failures with nothing held the lowest rate is tried, which may end the search."""

ABOVE_PROBE = 64.0
"""How far above the closed loop's throughput the capacity may lie: more connections than the
probe's carry more, where the server only waits."""

BELOW_PROBE = 500.0

LEAP = 1.25
CLOSE = 1.02
"""A rate this close to `max_rate` might as well be it."""

TWICE = 2
"""Once may be a stall: a rate that the generator could not make so often is its limit, and a server
that fails so often at the lowest rate fails at any."""


@dataclass(frozen=True)
class NextStep:
    """A step to be made: an open load at this rate, for so long."""

    rate_rps: float
    seconds: float
    purpose: Purpose


@dataclass(frozen=True)
class SearchFinding:
    """What a search found: the capacity with the interval it lies in with 95% probability. One
    that is `at-least` has no upper end: `high_rps` is infinite.

    `held_rps` is the highest rate that was seen to hold in a step of full length with nothing
    failed below it, `failed_rps` the lowest above it that failed; None where there was none.
    """

    kind: SearchKind
    capacity_rps: float
    low_rps: float
    high_rps: float
    held_rps: float | None
    failed_rps: float | None
    reason: str
    steps: int


class Unshowable(Exception):
    """No step can show the objective at the rates that the server can do; says what would.

    `why` leaves the remedy out, `step_s` is the length of a step that would do.
    """

    def __init__(self, why: str, step_s: int) -> None:
        super().__init__(f'{why}; set step = "{step_s}s", or ask for a lower quantile')
        self.why = why
        self.step_s = step_s


@dataclass
class Search:
    """A search under way. `probe_rps` is what a closed loop made of the server; where that was
    nothing, the search begins close above the least that a step can show."""

    goal: Goal
    probe_rps: float
    max_rps: float | None = None
    history: list[tuple[NextStep, StepJudgement]] = field(default_factory=list)
    _ceiling: float | None = None
    _least: float = 0.0
    _confirmed: float | None = None

    def __post_init__(self) -> None:
        longest = self.goal.step_s * LONGEST_STEPS
        least_shown = self.goal.needed / longest
        self.probe_rps = self.probe_rps or 2 * least_shown
        self._least = max(least_shown, self.probe_rps / BELOW_PROBE)
        most = self.probe_rps * ABOVE_PROBE if self.max_rps is None else self.max_rps
        if min(self.probe_rps, most) < self._least * 1.1:
            wanted = math.ceil(self.goal.needed / min(self.probe_rps, most) / LONGEST_STEPS)
            raise Unshowable(
                f"at {min(self.probe_rps, most):.3g}/s a step of {longest:g} s holds too few "
                f"requests: {self.goal.quantile:.4%} needs {self.goal.needed:,.0f}",
                wanted,
            )
        self._belief = Belief.around(self.probe_rps, self._least, most)

    def next(self) -> NextStep | None:
        """The next step; None when the search is over."""
        if self._is_over():
            return None
        low, high = self._belief.interval(CONFIDENCE)
        if self._floor_is_due():
            return self._step(self._floor(), "floor")
        if not self._narrow():
            blur = self.goal.tolerance * FALLING_BEHIND
            return self._step(max(self._belief.most_telling(blur), self._leap()), "search")
        if self._confirmed is None:
            return self._step(low, "confirm")
        return self._step(high, "refute")

    def learn(self, step: NextStep, judged: StepJudgement) -> None:
        """Take in how a step went."""
        self.history.append((step, judged))
        if judged.outcome == "unheld":
            tries = sum(
                j.outcome == "unheld" and s.rate_rps <= step.rate_rps * 1.001
                for s, j in self.history
            )
            if tries >= TWICE:
                self._ceiling = min(step.rate_rps, self._ceiling or math.inf)
            return
        self._belief.learn(step.rate_rps, judged.outcome == "held", self._blur(step))
        if step.purpose == "confirm" and judged.outcome == "held":
            self._confirmed = step.rate_rps
        elif judged.outcome == "failed" and self._confirmed and step.rate_rps <= self._confirmed:
            self._confirmed = None

    def finding(self) -> SearchFinding:
        """What is known now; call it when `next` gives None, or where the time is over."""
        low, high = self._belief.interval(CONFIDENCE)
        middle = self._belief.quantile(0.5)
        held, failed = self._held(), self._failed()
        kind: SearchKind = "met"
        reason = ""
        if not self._rates("held"):
            # Where no step failed either, the generator made none of them: nothing is known.
            kind = "not-met" if self._rates("failed") else "undecided"
            middle = low = 0.0
            worst = min(self.history, key=lambda seen: seen[0].rate_rps, default=None)
            if worst is not None:
                high = min(high, worst[0].rate_rps)
                reason = f"even at {worst[0].rate_rps:,.0f}/s {worst[1].reason}"
        elif bound := self._bound(at_the_end=True):
            kind, reason = "at-least", bound
            middle, high = held or low, math.inf
            low = middle
        elif not self._narrow() or self._confirmed is None:
            kind, reason = "undecided", f"{len(self.history)} steps were not enough"
        return SearchFinding(kind, middle, low, high, held, failed, reason, len(self.history))

    def _step(self, rate: float, purpose: Purpose) -> NextStep:
        if self.max_rps is not None and rate * CLOSE >= self.max_rps:
            rate = self.max_rps
        if self._ceiling is not None:
            rate = min(rate, self._below(self._ceiling))
        rate = max(rate, self._least)
        seconds = self.goal.seconds_at(rate)
        if purpose == "confirm":
            seconds *= CONFIRM_STEPS
        return NextStep(rate, float(math.ceil(seconds)), purpose)

    def _below(self, ceiling: float) -> float:
        """The highest rate to ask for where the generator could not make `ceiling`: what it can
        make may be far below, and lies above what has held."""
        held = max(self._rates("held"), default=ceiling / LEAP**2)
        return ceiling / max(1 + self.goal.tolerance / 2, math.sqrt(ceiling / held))

    def _blur(self, step: NextStep) -> float:
        """How far above the capacity a step of this length can hold: until its last requests have
        waited for the limit, or until the growth of the median shows it."""
        until_late = self.goal.limit_s / step.seconds
        if step.seconds < 2:
            return min(until_late, 1.0)
        return min(until_late, FALLING_BEHIND * self.goal.tolerance)

    def _narrow(self) -> bool:
        low, high = self._belief.interval(CONFIDENCE)
        return high / low <= (1 + self.goal.tolerance) ** 2

    def _is_over(self) -> bool:
        taken = sum(step.seconds for step, _ in self.history)
        if len(self.history) >= MOST_STEPS or taken >= MOST_TIME_STEPS * self.goal.step_s:
            return True
        if self._bound() or self._failed_at_floor() >= TWICE:
            return True
        if not self._narrow() or self._confirmed is None:
            return False
        return self._failed() is not None

    def _failed_at_floor(self) -> int:
        return sum(rate <= self._floor() * 1.01 for rate in self._rates("failed"))

    def _leap(self) -> float:
        """Where nothing has failed yet, ever further up: the closed loop was held back by too few
        connections, or by a slow moment of the machine."""
        held = self._rates("held")
        if len(held) < 2 or self._rates("failed"):
            return 0.0
        return max(held) * LEAP ** (len(held) - 1)

    def _floor(self) -> float:
        """Where a server that held nothing gets its last chance: a twentieth of the probe's rate,
        or what a step of the usual length can show."""
        return max(self._least, min(self.goal.needed / self.goal.step_s, self.probe_rps / 20))

    def _floor_is_due(self) -> bool:
        """The lowest rate is tried where nothing has held, and again where it failed."""
        failed = len(self._rates("failed"))
        return failed >= FAILED_AT_FIRST and not self._rates("held")

    def _bound(self, at_the_end: bool = False) -> str:
        """What kept the search from asking for more, where more may be possible."""
        held = self._held() or 0.0
        near = held * (1 + self.goal.tolerance) >= (self._ceiling or math.inf)
        if self._ceiling is not None and (near or (at_the_end and not self._rates("failed"))):
            return f"the generator could not keep to {self._ceiling:,.0f}/s"
        if self.max_rps is not None and held >= self.max_rps * 0.999:
            return f"max_rate is {self.max_rps:,.0f}/s"
        return ""

    def _held(self) -> float | None:
        """The highest rate at or above which as many steps held as failed at or below it."""
        return max(filter(self._stands, self._rates("held")), default=None)

    def _stands(self, rate: float) -> bool:
        failed = sum(r <= rate for r in self._rates("failed"))
        return sum(r >= rate for r in self._rates("held")) > failed

    def _failed(self) -> float | None:
        held = self._held() or 0.0
        return min((rate for rate in self._rates("failed") if rate > held), default=None)

    def _rates(self, outcome: StepOutcome) -> list[float]:
        return [step.rate_rps for step, judged in self.history if judged.outcome == outcome]
