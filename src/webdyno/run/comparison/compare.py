"""Two runs side by side: what can be paired is compared, what cannot is refused with a reason."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webdyno.catalog.terms.metric import METRICS
from webdyno.errors import UserError
from webdyno.run.comparison.broken import NotCompared, any_ok, broken_at, only_in_one, told_late
from webdyno.run.comparison.comparable import likeness
from webdyno.run.comparison.machine_drift import (
    cautions_of_drift,
    drift_between,
    sentinel_speeds,
)
from webdyno.run.comparison.outcome import ComparisonOutcome
from webdyno.run.judgement.figures import figures_of, least_of
from webdyno.run.judgement.unrankable import is_limited, why_unrankable
from webdyno.store.cell import Place
from webdyno.store.disqualification import disqualifications
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.verdicts import VerdictRecord
from webdyno.verdict.comparison.unpaired import Drift, UnpairedChange, changes, drift_of


@dataclass(frozen=True)
class ComparedRow:
    """One place that both runs have, and how the newer stands to the older."""

    entry: str
    scenario: str
    load: str
    metric: str
    old: float
    new: float
    change: UnpairedChange | None
    trials: tuple[int, int]
    """Trials that count, of the older and of the newer run."""
    note: str = ""
    unsure: str = ""
    """Why it settles nothing, whatever its interval."""

    @property
    def regression(self) -> bool:
        """Whether it is certainly worse by more than the margin."""
        return self.change is not None and self.change.regression and not self.unsure

    @property
    def settled(self) -> bool:
        """Whether its interval, however wide, is one to go by."""
        return self.change is not None and not self.unsure


@dataclass(frozen=True)
class Comparison:
    """What became of everything the two runs have."""

    old: RunRecord
    new: RunRecord
    rows: list[ComparedRow]
    refused: list[NotCompared]
    drift: Drift | None
    """How much faster the machine was in the newer run, by the sentinels; None without them."""
    confidence: float
    margin: float
    cautions: list[str]
    paired: bool = False
    """Whether both were up at once, in one run: the newer."""

    @property
    def regressions(self) -> list[ComparedRow]:
        """Rows that are certainly worse by more than the margin."""
        return [row for row in self.rows if row.regression]

    @property
    def says_something(self) -> bool:
        """Whether any figure had enough trials in both."""
        return any(row.change is not None for row in self.rows)

    @property
    def broken(self) -> list[NotCompared]:
        """What worked in the older run and does its work no more."""
        return [place for place in self.refused if place.broken]

    @property
    def not_reached(self) -> list[NotCompared]:
        """What worked in the older run and has no trial in the newer, which ended before it."""
        return [place for place in self.refused if place.not_reached]

    @property
    def limited_in_both(self) -> list[NotCompared]:
        """What the load generator or the network limited in the older run and in the newer: it
        carries at least as much as they can show, now as then, so that no figure was lost."""
        return [
            one
            for one in self.refused
            if not (one.broken or one.not_reached)
            and all(
                is_limited(one.entry, (trial for trial in run.trials if trial.place == one.place))
                for run in (self.old, self.new)
            )
        ]

    @property
    def passed_over(self) -> list[NotCompared]:
        """What worked in the older run, and could not be compared with what the newer measured, but
        for what was limited in both."""
        after, limited = {trial.place for trial in self.new.trials}, self.limited_in_both
        return [
            one
            for one in self.refused
            if not (one.broken or one.not_reached or one in limited)
            and one.place in after
            and any_ok([trial for trial in self.old.trials if trial.place == one.place])
        ]

    @property
    def outcome(self) -> ComparisonOutcome:
        """What it says of the whole. A figure that has an interval to go by is settled, however
        wide that is: it is no worse, as far as the data can tell."""
        if self.regressions or self.broken:
            return "worse"
        unsettled = any(not row.settled for row in self.rows) or not self.says_something
        return "not settled" if unsettled or self.not_reached or self.passed_over else "no worse"


def compare_runs(old: RunRecord, new: RunRecord, *, across: Collection[str] = ()) -> Comparison:
    """Compare every place the runs share; all intervals hold together (Bonferroni).

    `across` names differences to pass over: `machines`, `versions`, `work` (scenario, parameters,
    load), `source` (the server's own). Raises `UserError` where nothing is left to compare.
    """
    asked, then = new.study, old.study
    metrics = [metric for metric in asked.judged if metric in then.judged]
    if not metrics:
        raise UserError(
            f"runs {old.id} and {new.id} have no metric in common; compare runs of one study"
        )
    before, after = _places(old), _places(new)
    judged = {metric: _judged_by(metric, before, (old, new)) for metric in metrics}
    refused = list(only_in_one(old, new, before, after))
    shared: dict[Place, str] = {}
    for place in before:
        if place not in after:
            continue
        if not any(place in places for places in judged.values()):
            refused.append(NotCompared(*place, "its load is judged by other metrics"))
            continue
        if gone := broken_at(place, before[place], after[place], new):
            refused.append(gone)
            continue
        alike = likeness((old, new), *place[1:], (before[place], after[place]), across)
        if alike.refusal:
            refused.append(NotCompared(*place, alike.refusal))
        elif bad := _unfit(place, old, new):
            refused.append(bad)
        else:
            shared[place] = alike.note
    if not shared and not any(place.broken or place.not_reached for place in refused):
        why = f": {refused[0].reason}" if refused else "; name two that have a server in common"
        raise UserError(f"runs {old.id} and {new.id} have nothing to compare{why}")
    confidence, margin = asked.confidence, asked.margin
    columns = {metric: [one for one in of if one in shared] for metric, of in judged.items()}
    claims = max(1, sum(map(len, columns.values())))
    rows = [
        row
        for metric, places in columns.items()
        for row in _rows(
            metric, places, shared, before, after, margin, drift_between(old, new, metric),
            (1 - confidence) / claims,
        )
    ]  # fmt: skip
    drift = drift_of(*(sentinel_speeds(run, metrics[0]) for run in (old, new)))
    same = [f"both are run {new.id}: it is compared with itself"] if old.id == new.id else []
    late = [line for place in shared for line in told_late(place, after[place], new)]
    cautions = [
        *same, *late, *cautions_of(old, "older"), *cautions_of(new, "newer"),
        *cautions_of_drift(drift, margin),
    ]  # fmt: skip
    return Comparison(old, new, rows, refused, drift, confidence, margin, cautions)


def _judged_by(
    metric: str, places: Iterable[Place], runs: tuple[RunRecord, RunRecord]
) -> list[Place]:
    """Those of `places` whose load both runs judge by `metric`."""
    return [
        place for place in places if all(metric in run.study.metrics_of(place[2]) for run in runs)
    ]


def _rows(
    metric: str,
    places: list[Place],
    notes: dict[Place, str],
    before: dict[Place, list[TrialRecord]],
    after: dict[Place, list[TrialRecord]],
    margin: float,
    drift: Drift | None,
    error_rate: float,
) -> Iterator[ComparedRow]:
    if not places:
        return
    old, new = (_table([side[place] for place in places], metric) for side in (before, after))
    found = changes(
        old,
        new,
        higher_is_better=METRICS[metric].higher_is_better,
        margin=margin,
        error_rate=error_rate,
        drift=drift,
    )
    for column, (place, change) in enumerate(zip(places, found, strict=True)):
        # As `changes` does: what has no logarithm is not compared, and so does not count.
        sides = [_that_count(side[:, column]) for side in (old, new)]
        medians = [float(np.median(side)) if side.size else math.nan for side in sides]
        least = [least_of(side[place], metric) for side in (before, after)]
        note = ", ".join(filter(None, (notes[place], missing_end(*least))))
        yield ComparedRow(
            *place, metric, medians[0], medians[1], change and change.opened(*map(bool, least)),
            (sides[0].size, sides[1].size), note,
        )  # fmt: skip


def missing_end(old: str, new: str) -> str:
    """Why an end is not known, as `least_of` says it of either run; empty where both are."""
    sides = (("the older", old), ("the newer", new))
    return ", ".join(f"{which} {least}" for which, least in sides if least)


def _that_count(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values[np.isfinite(values) & (values > 0)]


def _table(columns: list[list[TrialRecord]], metric: str) -> NDArray[np.float64]:
    """Blocks x places; NaN where a trial is missing or did not count."""
    blocks = 1 + max(trial.block for column in columns for trial in column)
    table = np.full((blocks, len(columns)), math.nan)
    for place, column in enumerate(columns):
        for trial, value in zip(column, figures_of(column, metric), strict=True):
            if trial.is_evidence:
                table[trial.block, place] = value
    return table


def _places(run: RunRecord) -> dict[Place, list[TrialRecord]]:
    found: dict[Place, list[TrialRecord]] = {}
    for trial in run.trials:
        if not trial.control:
            found.setdefault(trial.place, []).append(trial)
    return found


def _unfit(place: Place, old: RunRecord, new: RunRecord) -> NotCompared | None:
    """Trials that say nothing about the server."""
    for run in (old, new):
        if lied := disqualifications(run.trials).get((place[1], place[0])):
            return NotCompared(*place, f"in {run.id} {lied}")
        of_cell = [trial for trial in run.trials if trial.cell == place[1:]]
        if reason := why_unrankable(place[0], of_cell):
            return NotCompared(*place, f"in {run.id} {reason}")
    return None


def cautions_of(run: RunRecord, which: str) -> Iterator[str]:
    """What keeps a run, the "older" or the "newer", from being believed."""
    for verdict in run.verdicts:
        if _control_differs(verdict):
            yield (
                f"the A/A control of the {which} run ({run.id}) failed in {verdict.scenario}: its "
                "machine was too noisy to trust"
            )
    noisy = sum(trial.limit == "machine-noise" for trial in run.trials)
    if noisy * 10 >= len(run.trials) > 0:
        yield f"{noisy} of {len(run.trials)} trials of the {which} run ({run.id}) were disturbed"


def _control_differs(verdict: VerdictRecord) -> bool:
    return verdict.control is not None and not verdict.control.low <= 1 <= verdict.control.high
