"""Which trials of a place count in a history, and why a run has none."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from webdyno.run.comparison.comparable import likeness
from webdyno.run.judgement.figures import figures_of, least_of
from webdyno.run.judgement.unrankable import still_warming, why_unrankable
from webdyno.run.record.unmeasured_cells import unmeasured_cells
from webdyno.store.cell import Place
from webdyno.store.disqualification import disqualifications
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.verdict.limits.limit import NOT_ITS_OWN

_PASSED_OVER = ("machines", "versions", "source")
"""What a history is about; runs of other machines are left out of it as a whole."""

_NOT_ASKED = "not part of the run"


@dataclass(frozen=True)
class UsableTrials:
    """A run's trials of a place that count, each with its figure; `reason` where there are none."""

    trials: list[TrialRecord]
    values: list[float]
    reason: str = ""
    at_least: bool = False
    """Whether the figures are the most that was tried, and the server may do more."""

    @property
    def level(self) -> float:
        """Their geometric mean; NaN for none."""
        if not self.values:
            return math.nan
        return math.exp(sum(map(math.log, self.values)) / len(self.values))


def places_of(runs: Sequence[RunRecord]) -> list[Place]:
    """All places that `runs` measured, the newest run's first, and after them those that they were
    asked for in vain."""
    measured = [trial.place for run in reversed(runs) for trial in run.trials if not trial.control]
    in_vain = [
        row.place
        for run in reversed(runs)
        for row in unmeasured_cells(run)
        if row.kind != "not-implemented"
    ]
    return list(dict.fromkeys([*measured, *in_vain]))


def usable_trials(run: RunRecord, newest: RunRecord, place: Place, metric: str) -> UsableTrials:
    """The place's trials in `run` that count; none where the run's work was other than the
    newest's."""
    mine, theirs = _of(run, place), _of(newest, place)
    if not mine:
        return UsableTrials([], [], _absence(run, place))
    if metric not in (judged := run.study.metrics_of(place[2])):
        return UsableTrials([], [], f"its load is judged by {', '.join(judged)}")
    if lied := _lie(run, place):
        return UsableTrials([], [], lied)
    theirs = [] if _lie(newest, place) else theirs
    if other := likeness((run, newest), *place[1:], (mine, theirs), _PASSED_OVER).refusal:
        return UsableTrials([], [], other.partition("; --across")[0])
    good = [trial for trial in mine if trial.is_evidence]
    if not good:
        cold = still_warming(mine, 1)
        return UsableTrials([], [], "still warming" if cold else why_unrankable(place[0], mine))
    bound = sum(trial.limit in NOT_ITS_OWN for trial in good)
    if bound * 2 >= len(good):
        return UsableTrials([], [], why_unrankable(place[0], good))
    found = list(zip(good, figures_of(good, metric), strict=True))
    known = [(trial, value) for trial, value in found if math.isfinite(value) and value > 0]
    reason = "" if known else f"none has a {metric}"
    counted = [trial for trial, _ in known]
    is_least = bool(counted and least_of(counted, metric))
    return UsableTrials(counted, [value for _, value in known], reason, is_least)


def gap_of(place: Place, usable: Sequence[UsableTrials]) -> str:
    """In how many runs a place has no usable trial, with the commonest reason; empty where it has
    them in all that were asked for it."""
    reasons = [one.reason for one in usable if not one.values]
    if not any(reason != _NOT_ASKED for reason in reasons):
        return ""
    (most, times), *others = Counter(reasons).most_common()
    more = f"in {times} of them: {most}" if others else most
    runs = "run" if len(usable) == 1 else "runs"
    return f"{', '.join(place)}: no usable trial in {len(reasons)} of {len(usable)} {runs} ({more})"


def _of(run: RunRecord, place: Place) -> list[TrialRecord]:
    return [t for t in run.trials if t.place == place]


def _lie(run: RunRecord, place: Place) -> str:
    return disqualifications(run.trials).get((place[1], place[0]), "")


def _absence(run: RunRecord, place: Place) -> str:
    rows = (row for row in unmeasured_cells(run) if row.place == place)
    return next((row.reason for row in rows), _NOT_ASKED)
