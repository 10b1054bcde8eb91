"""A study's runs over time: how the level of every entry is found, and where it changed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webdyno.catalog.terms.metric import METRICS
from webdyno.errors import UserError
from webdyno.run.comparison.comparable import ACROSS, likeness, unlike_machines
from webdyno.run.comparison.history_document import (
    MACHINE,
    History,
    HistoryChange,
    PlaceHistory,
    Point,
)
from webdyno.run.comparison.machine_drift import sentinel_speeds
from webdyno.run.comparison.usable_trials import UsableTrials, gap_of, places_of, usable_trials
from webdyno.store.cell import Place
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.verdict.comparison.change_points import LevelChange, change_points


def history_of(
    runs: Sequence[RunRecord],
    metric: str,
    passed_over: Sequence[str] = (),
) -> History:
    """The history of `runs`, of one study, on the machine of the newest one. `passed_over` are runs
    that were left out of it before, with their reasons.

    Raises `UserError` where there are none, or none of them has the metric.
    """
    ordered = sorted(runs, key=lambda run: run.started)
    if not ordered:
        raise UserError("no runs for a history; `webdyno list runs` lists the stored runs")
    newest = ordered[-1].study
    alike, others = _alike(ordered, metric)
    left_out = [*passed_over, *others]
    if not alike:
        raise UserError(
            f"no run of study '{newest.name}' has the metric '{metric}'; choose from "
            f"{', '.join(newest.judged) or ', '.join(METRICS)}"
        )
    sentinels = np.array([_mean(sentinel_speeds(run, metric).tolist()) for run in alike])
    # A run that measured nothing has nothing to be calibrated.
    made = [run for run in alike if run.trials]
    seen_all = bool(made) and all(
        math.isfinite(speed) for run, speed in zip(alike, sentinels, strict=True) if run.trials
    )
    reference = None if seen_all else _reference(made)
    places: list[tuple[Place, list[UsableTrials]]] = []
    gaps: list[str] = []
    for place in places_of(alike):
        seen = _usable_in(alike, place, metric)
        missing = gap_of(place, seen)
        if not any(math.isfinite(one.level) for one in seen):
            left_out.append(missing)
            continue
        places.append((place, seen))
        gaps += [missing] if missing else []
    calibrated = seen_all and not METRICS[metric].at_any_speed
    speeds = sentinels if calibrated else np.ones(len(alike))
    series = [_series(alike, place, seen, metric, reference) / speeds for place, seen in places]
    *found, of_machine = change_points(np.array([*series, sentinels]).T)
    histories = [
        _place_history(alike, place, seen, changes)
        for (place, seen), changes in zip(places, found, strict=True)
    ]
    if np.isfinite(sentinels).any():
        histories.append(_machine_history(alike, sentinels, of_machine))
    return History(
        study=newest.name,
        metric=metric,
        runs=[run.id for run in alike],
        places=histories,
        left_out=left_out,
        calibrated=calibrated,
        reference=reference or "",
        gaps=gaps,
    )


def _alike(ordered: Sequence[RunRecord], metric: str) -> tuple[list[RunRecord], list[str]]:
    """Of `ordered`, those on the newest one's machine that have the metric; and why the others are
    left out."""
    alike, left_out = [], []
    for run in ordered:
        if reason := unlike_machines(run, ordered[-1]):
            left_out.append(f"{run.id}: {reason}")
        elif metric in run.study.judged:
            alike.append(run)
        else:
            left_out.append(f"{run.id}: its study has no metric '{metric}'")
    return alike, left_out


def _usable_in(runs: Sequence[RunRecord], place: Place, metric: str) -> list[UsableTrials]:
    """What counts of a place in each run."""
    latest = _latest_with(runs, place)
    return [usable_trials(run, latest, place, metric) for run in runs]


def _series(
    runs: Sequence[RunRecord],
    place: Place,
    usable: Sequence[UsableTrials],
    metric: str,
    reference: str | None,
) -> NDArray[np.float64]:
    """How good a place was in each run, in any unit, the more the better: beside the `reference`
    in the same run, where there is one. NaN where nothing counts."""
    level = np.array([one.level for one in usable])
    if reference and place[0] != reference:
        beside = _usable_in(runs, (reference, *place[1:]), metric)
        level = level / np.array([one.level for one in beside])
    return level if METRICS[metric].higher_is_better else 1 / level


def _place_history(
    runs: Sequence[RunRecord],
    place: Place,
    usable: Sequence[UsableTrials],
    changes: Sequence[LevelChange],
) -> PlaceHistory:
    points = [_point(run, one, place[0]) for run, one in zip(runs, usable, strict=True)]
    trials = [one.trials for one in usable]
    level_changes = [
        _change(found, points, _differs(runs, trials, found.index)) for found in changes
    ]
    return PlaceHistory(*place, points, level_changes)


def _machine_history(
    runs: Sequence[RunRecord], sentinels: NDArray[np.float64], changes: Sequence[LevelChange]
) -> PlaceHistory:
    points = [
        Point(run.id, run.started, _known(value), len(run.sentinels))
        for run, value in zip(runs, sentinels, strict=True)
    ]
    return PlaceHistory(MACHINE, "", "", points, [_change(one, points, "") for one in changes])


def _latest_with(runs: Sequence[RunRecord], place: Place) -> RunRecord:
    """The newest of `runs` that measured the place, which says what its work is; else the newest:
    one that was interrupted before may not tell at which rate it would have been."""
    return next(
        (run for run in reversed(runs) if any(trial.place == place for trial in run.trials)),
        runs[-1],
    )


def _change(change: LevelChange, points: Sequence[Point], differs: str) -> HistoryChange:
    """A change with the runs that it lies between; those without a value say nothing of it."""
    before = next(i for i in reversed(range(change.earliest)) if points[i].value is not None)
    ends = points[before], points[change.latest]
    old, new = ("" if point.modified else point.commit for point in ends)
    return HistoryChange(
        points[change.index].run, change.index, change.ratio, change.ratio > 1, differs, change.low,
        change.high, ends[0].run, ends[1].run, (old, new),
    )  # fmt: skip


def _reference(runs: Sequence[RunRecord]) -> str | None:
    """Version A of comparisons by `ab`, where it was the same in all of `runs`, which measured
    something: it was measured at the same moment as B, so that it shows the machine as nothing else
    does. None where there is none."""
    if not runs:
        return None
    label = runs[-1].study.control
    if not label or any(run.made_by != "ab" for run in runs):
        return None
    digests = {
        trial.sources.get("server") for run in runs for trial in run.trials if trial.entry == label
    }
    in_all_runs = all(any(trial.entry == label for trial in run.trials) for run in runs)
    return label if in_all_runs and len(digests) == 1 and None not in digests else None


def _differs(runs: Sequence[RunRecord], trials: list[list[TrialRecord]], index: int) -> str:
    before = next((i for i in range(index - 1, -1, -1) if trials[i]), None)
    if before is None:
        return ""
    sides = (trials[before], trials[index])
    first = trials[index][0]
    return likeness((runs[before], runs[index]), first.scenario, first.load, sides, ACROSS).note


def _point(run: RunRecord, usable: UsableTrials, entry: str) -> Point:
    stated = next((server for server in run.servers if server.entry == entry), None)
    commit, modified = (stated.commit, stated.modified) if stated else ("", False)
    return Point(
        run.id,
        run.started,
        _known(usable.level),
        len(usable.trials),
        commit,
        modified,
        usable.at_least,
    )


def _mean(values: list[float]) -> float:
    """Geometric; NaN for nothing."""
    known = [math.log(value) for value in values if math.isfinite(value) and value > 0]
    return math.exp(sum(known) / len(known)) if known else math.nan


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
