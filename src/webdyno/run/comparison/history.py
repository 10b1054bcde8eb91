"""A study's runs over time: the level of every entry from run to run, and where it changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from webdyno.catalog.metric import METRICS
from webdyno.errors import UserError
from webdyno.run.comparison.comparable import ACROSS, likeness, unlike_machines
from webdyno.run.comparison.compare import sentinel_speeds
from webdyno.run.judgement.metric import value_of
from webdyno.store.lies import honest
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.verdict.bottleneck import NOT_ITS_OWN
from webdyno.verdict.change_points import LevelChange, change_points

MACHINE = "the machine (sentinel)"
"""The series of the sentinel itself: where it changes, all others do, too."""

_PASSED_OVER = ("machines", "versions", "source")
"""What a history is about; runs of other machines are left out of it as a whole."""


@dataclass(frozen=True)
class Point:
    """One run's level: the geometric mean of its trials that count; and the commit that its source
    was of, empty where none is recorded."""

    run: str
    started: datetime
    value: float | None
    trials: int
    commit: str = ""
    modified: bool = False
    """Whether the source differed from that commit."""


@dataclass(frozen=True)
class HistoryChange:
    """The level is another from this run on: `ratio` times as good, within `low`..`high`.

    It came after run `after` and at the latest with run `upto`, each with its commit; that and the
    interval hold with 95% confidence.
    """

    run: str
    index: int
    ratio: float
    better: bool
    differs: str
    """What else is different from the run before: versions, source."""
    low: float
    high: float
    after: str
    upto: str
    commits: tuple[str, str] = ("", "")
    """Of `after` and `upto`; empty where it is not recorded, or the source differed from it."""


@dataclass(frozen=True)
class PlaceHistory:
    """One entry under one scenario and load, over all runs."""

    entry: str
    scenario: str
    load: str
    points: list[Point]
    changes: list[HistoryChange] = field(default_factory=list)


@dataclass(frozen=True)
class History:
    """What became of a study. `calibrated`: changes were sought after the machine's own, by the
    sentinel, had been taken out. `reference`: by another server, the same in all runs."""

    study: str
    metric: str
    runs: list[str]
    places: list[PlaceHistory]
    left_out: list[str]
    calibrated: bool
    reference: str = ""


def history_of(runs: Sequence[RunRecord], metric: str, error_rate: float = 0.05) -> History:
    """The history of `runs`, of one study, on the machine of the newest one.

    Raises `UserError` where there are none, or none of them has the metric.
    """
    ordered = sorted(runs, key=lambda run: run.started)
    if not ordered:
        raise UserError("no runs for a history; `webdyno list runs` lists the stored runs")
    newest, left_out, alike = ordered[-1], [], []
    for run in ordered:
        if reason := unlike_machines(run, newest):
            left_out.append(f"{run.id}: {reason.removesuffix('; --across machines')}")
        elif metric in run.study["metrics"]:
            alike.append(run)
    if not alike:
        raise UserError(f"no run of study '{newest.study['name']}' has the metric '{metric}'")
    sentinels = np.array([_mean(sentinel_speeds(run, metric).tolist()) for run in alike])
    places, columns, beside = [], [], []
    reference = None if np.isfinite(sentinels).all() else _reference(alike)
    for place in _places(alike):
        trials = [_trials(run, newest, place) for run in alike]
        values = [_level(mine, metric) for mine in trials]
        if np.isfinite(values).any():
            places.append((place, trials))
            columns.append(values)
            mark = (reference or place[0], *place[1:])
            beside.append([_level(_trials(run, newest, mark), metric) for run in alike])
    known = bool(np.isfinite(sentinels).all()) and not METRICS[metric].at_any_speed
    better_up = METRICS[metric].higher_is_better
    series = []
    for (place, _), values, its in zip(places, columns, beside, strict=True):
        level = np.array(values)
        if reference and place[0] != reference:
            level = level / np.array(its)
        turned = level if better_up else 1 / level
        series.append(turned / sentinels if known else turned)
    found = change_points(np.array([*series, sentinels]).T, error_rate=error_rate)
    histories = []
    for (place, trials), values, changes in zip(places, columns, found, strict=False):
        points = [
            _point(run, value, mine, place[0])
            for run, value, mine in zip(alike, values, trials, strict=True)
        ]
        told = [_change(c, points, _differs(alike, trials, c.index)) for c in changes]
        histories.append(PlaceHistory(*place, points, told))
    if np.isfinite(sentinels).any():
        points = [
            Point(run.id, run.started, _known(value), len(run.sentinels))
            for run, value in zip(alike, sentinels, strict=True)
        ]
        moved = [_change(c, points, "") for c in found[-1]]
        histories.append(PlaceHistory(MACHINE, "", "", points, moved))
    name = str(newest.study["name"])
    return History(
        name, metric, [run.id for run in alike], histories, left_out, known, reference or ""
    )


def _change(found: LevelChange, points: Sequence[Point], differs: str) -> HistoryChange:
    """A change with the runs that it lies between; those without a value say nothing of it."""
    before = next(i for i in reversed(range(found.earliest)) if points[i].value is not None)
    ends = points[before], points[found.latest]
    old, new = ("" if point.modified else point.commit for point in ends)
    return HistoryChange(
        points[found.index].run, found.index, found.ratio, found.ratio > 1, differs, found.low,
        found.high, ends[0].run, ends[1].run, (old, new),
    )  # fmt: skip


def _reference(runs: Sequence[RunRecord]) -> str | None:
    """Version A of comparisons by `ab`, where it was the same in all: it was measured at the same
    moment as B, so that it shows the machine as nothing else does. None where there is none."""
    name = str(runs[-1].study["name"])
    label = str(runs[-1].study.get("control", ""))
    if not name.startswith("ab-") or not label:
        return None
    digests = {
        trial.sources.get("server") for run in runs for trial in run.trials if trial.entry == label
    }
    there = all(any(trial.entry == label for trial in run.trials) for run in runs)
    return label if there and len(digests) == 1 and None not in digests else None


def _level(trials: list[TrialRecord], metric: str) -> float:
    return _mean([value_of(trial, metric) for trial in trials])


def _places(runs: Sequence[RunRecord]) -> list[tuple[str, str, str]]:
    return list(
        dict.fromkeys(
            (trial.entry, trial.scenario, trial.load)
            for run in reversed(runs)
            for trial in run.trials
            if not trial.control
        )
    )


def _trials(run: RunRecord, newest: RunRecord, place: tuple[str, str, str]) -> list[TrialRecord]:
    """The place's trials that count; none where the run's work was other than the newest's."""

    def of(one: RunRecord) -> list[TrialRecord]:
        return [t for t in honest(one.trials) if (t.entry, t.scenario, t.load) == place]

    mine, theirs = of(run), of(newest)
    if not mine or likeness((run, newest), *place[1:], (mine, theirs), _PASSED_OVER).refusal:
        return []
    good = [trial for trial in mine if trial.is_evidence]
    bound = sum(trial.bottleneck in NOT_ITS_OWN for trial in good)
    return [] if bound * 2 >= len(good) else good


def _differs(runs: Sequence[RunRecord], trials: list[list[TrialRecord]], index: int) -> str:
    before = next((i for i in range(index - 1, -1, -1) if trials[i]), None)
    if before is None:
        return ""
    sides = (trials[before], trials[index])
    first = trials[index][0]
    return likeness((runs[before], runs[index]), first.scenario, first.load, sides, ACROSS).note


def _point(run: RunRecord, value: float, trials: list[TrialRecord], entry: str) -> Point:
    stated = next((server for server in run.servers if server.entry == entry), None)
    commit, modified = (stated.commit, stated.modified) if stated else ("", False)
    return Point(run.id, run.started, _known(value), len(trials), commit, modified)


def _mean(values: list[float]) -> float:
    """Geometric; NaN for nothing."""
    known = [math.log(value) for value in values if math.isfinite(value) and value > 0]
    return math.exp(sum(known) / len(known)) if known else math.nan


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
