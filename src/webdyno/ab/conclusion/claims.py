"""What a run says of B beside A, a claim for each load and metric: from verdicts, nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import computed_field

from webdyno.ab.conclusion.remedies import is_of_the_generator, remedy_of
from webdyno.ab.study.confidence import ALONE, CLAIM_BY_REQUEST, STEADY, FigureKey, claims_under
from webdyno.ab.study.pairing import Pairing
from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.terms.metric import METRICS
from webdyno.run.judgement.conditions import conditions_of
from webdyno.run.judgement.judge import judge
from webdyno.store.document import described
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.verdicts import VerdictRecord
from webdyno.verdict.comparison.outcomes import outcome_of
from webdyno.verdict.sequential.looks import Looks
from webdyno.verdict.sequential.power import fewest, half_width

ClaimOutcome = Literal["worse", "better", "same", "open", "unmeasured"]

GUARD = "p99_us"
GUARD_MARGIN = 0.10
"""p99 varies by more than means do: it is a guard, and speaks up from here on."""

MOST_MORE = 1000
"""Blocks beyond which nothing is foretold."""

EXACTLY = 40
"""Blocks up to which the width of an interval is foretold exactly."""


@described
@dataclass(frozen=True)
class Claim:
    """B beside A under one load by one metric, of all requests or of one. A figure is None where
    nothing is known."""

    load: str
    """`full`, `steady` or `alone`."""
    metric: str
    """Such as `cpu_us_per_request`, CPU microseconds of the service for each request."""
    outcome: ClaimOutcome
    """open: its interval is too wide, or does not count; unmeasured: there is none."""
    a: float | None = None
    """Median of A's figures, in the metric's unit."""
    b: float | None = None
    """Median of B's figures, in the metric's unit."""
    change: float | None = None
    """How much larger B's figure is, as a share of A's: 0.046 is 4.6%."""
    low: float | None = None
    """Lower end of its interval."""
    high: float | None = None
    """Upper end of its interval; None as well where nothing bounds it."""
    blocks: int = 0
    """Blocks that hold both versions."""
    reason: str = ""
    """Why it is open or unmeasured, where that is not the width of its interval."""
    resolves: float | None = None
    """The difference that could be seen so far, as a share: 0.03 is 3%."""
    request: str = ""
    """The name of the one that it is about; empty where it is about all."""
    more_s: float | None = None
    """About how many seconds longer it takes until it is settled; None where that cannot be
    told."""
    doubt: str = ""
    """Why the control does not bear its interval out, where it is open for its width."""
    left_out: bool = False
    """Whether nothing waits for it: the budget was too short for its load from the beginning, or
    the load generator was the limit, and CPU time says what throughput cannot."""

    def name_at(self, rate: str) -> str:
        """What it is about, such as `CPU per request at 1,200/s` or `latency of GET /items`."""
        if self.request:
            return f"latency of {self.request}"
        name = METRICS[self.metric].within
        return f"{name} at {rate or 'a steady rate'}" if self.load == STEADY else name

    @computed_field  # type: ignore[prop-decorator]
    @property
    def name(self) -> str:
        """What it is about, in words."""
        return self.name_at("")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def decides(self) -> bool:
        """Whether a comparison is not settled without it; a guard, and a single request, only
        speak up."""
        return self.metric != GUARD and not self.request and not self.left_out


def claims_of(pair: Pairing, run: RunRecord) -> list[Claim]:
    """Every claim, in the order in which they are told."""
    verdicts = {FigureKey(one.load, one.metric): one for one in run.verdicts}
    verdicts |= {FigureKey(one.load, one.metric): one for one in _guards(pair.study, run)}
    requests = [request.name for request in pair.description.templates()]
    for name, verdict in _by_request(pair, run, requests):
        verdicts[FigureKey(ALONE, CLAIM_BY_REQUEST, name)] = verdict
    pace = Pace(run.planned_blocks or 0, _block_s(run), run.status == "interrupted")
    claims = [
        claim_of(pair.labels, key, verdicts.get(key), pace)
        for load in pair.study.loads
        for key in claims_under(load.label(), requests)
    ]
    beyond = {cell.load for cell in run.plan.cells if not cell.planned} if run.plan else set()
    return [
        replace(one, left_out=True, reason=_too_short_for(one.load))
        if one.outcome == "unmeasured" and one.load in beyond and not pace.interrupted
        else one
        for one in claims
    ]


def _too_short_for(load: str) -> str:
    """Why a load is not compared that was not planned."""
    return f"the budget leaves no time for the {load} load; give a longer --budget"


def _guards(study: StudyManifest, run: RunRecord) -> Iterator[VerdictRecord]:
    """p99 of the steady load, which the run itself does not wait for."""
    steady = [trial for trial in run.trials if trial.load == STEADY]
    if steady:
        margin = max(GUARD_MARGIN, study.margin)
        guard_study = study.model_copy(update={"metrics": [GUARD], "margin": margin})
        yield from judge(guard_study, steady, conditions_of(run, study))


def _by_request(
    pair: Pairing, run: RunRecord, requests: Sequence[str]
) -> Iterator[tuple[str, VerdictRecord]]:
    """The verdict on each request by itself, which the run does not wait for either."""
    alone = [trial for trial in run.trials if trial.load == ALONE]
    if not alone:
        return
    study = pair.study
    request_study = study.model_copy(update={"metrics": [CLAIM_BY_REQUEST]})
    conditions = conditions_of(run, study)
    for name in requests:
        for verdict in judge(request_study, [_only(trial, name) for trial in alone], conditions):
            yield name, verdict


def _only(trial: TrialRecord, request: str) -> TrialRecord:
    """The trial with the latency of that request in the place of all."""
    if trial.measurement is None:
        return trial
    latency = next((r.latency_us for r in trial.measurement.by_request if r.name == request), None)
    measured = trial.measurement.model_copy(update={"latency_us": latency})
    # What the generator takes between two requests is no part of their latency.
    limit = "waiting" if trial.limit == "generator-bound" else trial.bottleneck
    return trial.model_copy(update={"measurement": measured, "bottleneck": limit})


@dataclass(frozen=True)
class Pace:
    """How fast a run goes: blocks that it planned its looks for, and seconds that a block takes;
    and whether its user ended it before."""

    planned: int
    block_s: float
    interrupted: bool = False


def claim_of(
    labels: tuple[str, str], key: FigureKey, verdict: VerdictRecord | None, pace: Pace
) -> Claim:
    """What a verdict says of B beside A, whose entries are `labels`."""
    a, b = labels
    claim = Claim(key.load, key.metric, "unmeasured", request=key.request)
    if verdict is None:
        why = "the run was interrupted" if pace.interrupted else "there was no time left"
        return replace(claim, reason=why)
    claim = replace(
        claim, a=verdict.medians.get(a), b=verdict.medians.get(b), blocks=verdict.blocks
    )
    left_out = {left.entry: left for left in verdict.not_ranked if left.entry in (a, b)}
    if left_out:
        # The first of them need not be A.
        letter, entry = ("A", a) if a in left_out else ("B", b)
        left = left_out[entry]
        why = left.reason.removeprefix("not settled: ")
        reason = f"{letter}: {why}{remedy_of(key.load, left)}"
        return replace(claim, reason=reason, left_out=is_of_the_generator(key.load, left))
    if verdict.too_few:
        needed = f"{verdict.blocks} of the {verdict.blocks_needed} blocks needed"
        more_s = (verdict.blocks_needed - verdict.blocks) * pace.block_s
        had = "the run was interrupted after" if pace.interrupted else "there was time for"
        return replace(claim, reason=f"{had} {needed}", more_s=more_s)
    ratio = verdict.ratio_between(a, b)
    if ratio is None:
        few = f"fewer than {verdict.blocks_needed} blocks hold both versions"
        return replace(claim, reason=few)
    better, low, high = ratio.seen_from(b)
    change, least, most = _change(key.metric, better, low, high)
    claim = replace(claim, change=change, low=least, high=most)
    outcome = _OUTCOMES.get(ratio.outcome if ratio.of == b else _turned(ratio.outcome), "open")
    why = _doubt(labels, verdict, outcome, (low, high))
    if outcome != "open":
        return replace(claim, outcome="open" if why else outcome, reason=why)
    width = math.log(high / low) / 2 if low > 0 and math.isfinite(high) else math.inf
    return replace(
        claim,
        outcome="open",
        resolves=math.expm1(width) if width < 3 else None,
        more_s=_more_s(verdict, math.log(better), width, pace),
        doubt=why,
    )


_OUTCOMES: dict[str, ClaimOutcome] = {"equal": "same", "faster": "better", "slower": "worse"}
"""What a verdict's word means for B, where the word is of B."""


def _turned(outcome: str) -> str:
    return {"faster": "slower", "slower": "faster"}.get(outcome, outcome)


def _change(metric: str, better: float, low: float, high: float) -> tuple[float, float, float]:
    """How much larger B's figure is, and its interval, from how much better B is."""
    if METRICS[metric].higher_is_better:
        return better - 1, low - 1, high - 1
    return 1 / better - 1, 1 / high - 1, 1 / low - 1 if low > 0 else math.inf


def _doubt(
    labels: tuple[str, str],
    verdict: VerdictRecord,
    outcome: ClaimOutcome,
    interval: tuple[float, float],
) -> str:
    """Why the control (A against itself) does not let `outcome` be told, whose interval is
    `interval`; empty where it does.

    An interval knows how much the figures vary, not what sets one version apart in every block:
    only the control shows that nothing on this machine does. Without it nothing is told.
    """
    control = verdict.control
    if control is None:
        reasons = {
            left.entry: left.reason for left in verdict.not_ranked if left.entry not in labels
        }
        why = next(iter(reasons.values()), "no time was left for it")
        return f"the control (A against itself) is missing: {why}"
    if control.low <= 1 <= control.high:
        return ""
    apart = max(control.estimate, 1 / control.estimate)
    # As far apart as A from itself the two may be, unseen.
    if outcome == "same" and outcome_of(
        interval[0] / apart, interval[1] * apart, verdict.margin
    ) == ("equal"):
        return ""
    return f"A differs from itself by {abs(control.estimate - 1):.1%}: the machine is too noisy"


def _more_s(verdict: VerdictRecord, size: float, width: float, pace: Pace) -> float | None:
    """How much more time a comparison needs that settles the claim, if figures vary as they have:
    one that had it from the beginning, and plans its looks for it."""

    def wide(blocks: int, planned: int) -> float:
        looks = Looks(max(planned, blocks), first=verdict.blocks_needed, late=True)
        return half_width(blocks, 1.0, 2, looks=looks, confidence=verdict.confidence)

    unit = wide(verdict.blocks, pace.planned)
    if not (0 < width < math.inf and math.isfinite(unit)):
        return None
    noise, size = width / unit, abs(size)

    def settles(blocks: int) -> bool:
        # From there on the last look's level and Student's t hardly change.
        exact = min(blocks, EXACTLY)
        narrower = noise * wide(exact, exact) * math.sqrt(exact / blocks)
        return narrower < size or size + narrower <= math.log1p(verdict.margin)

    blocks = fewest(settles, verdict.blocks + 1, verdict.blocks + MOST_MORE)
    return (blocks - verdict.blocks) * pace.block_s if blocks else None


def _block_s(run: RunRecord) -> float:
    """What a block of all loads takes."""
    by_load: dict[str, list[TrialRecord]] = {}
    for trial in run.trials:
        by_load.setdefault(trial.load, []).append(trial)
    return sum(
        sum(trial.took_s for trial in mine) / len({trial.block for trial in mine})
        for mine in by_load.values()
    )
