"""Two runs side by side: what can be paired is compared, what cannot is refused with a reason."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webdyno.catalog.study import HIGHER_IS_BETTER
from webdyno.errors import UserError
from webdyno.run.metric import value_of
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.verdict.unpaired import Change, change

Place = tuple[str, str, str]
"""Entry, scenario, load."""


@dataclass(frozen=True)
class Row:
    """One place that both runs have, and how the newer stands to the older."""

    entry: str
    scenario: str
    load: str
    metric: str
    old: float
    new: float
    change: Change | None
    note: str = ""


def compare_runs(old: RunRecord, new: RunRecord, *, force: bool = False) -> list[Row]:
    """Compare every place the runs share, Bonferroni-corrected over all of them.

    Raises `UserError` where the machines or the work differ (unless `force`), or nothing is shared.
    """
    if not force:
        _refuse_unlike(old, new)
    before, after = _places(old), _places(new)
    shared = [place for place in before if place in after]
    if not shared:
        raise UserError(f"runs {old.id} and {new.id} share no server, scenario and load")
    metrics = [m for m in old.study["metrics"] if m in new.study["metrics"]]
    if not metrics:
        raise UserError(
            f"runs {old.id} and {new.id} share no metric; their studies ask differently"
        )
    alpha = (1 - float(new.study["confidence"])) / (len(shared) * len(metrics))
    return [
        _row(place, metric, before[place], after[place], 1 - alpha, float(new.study["margin"]))
        for place in shared
        for metric in metrics
    ]


def _row(
    place: Place,
    metric: str,
    before: list[TrialRecord],
    after: list[TrialRecord],
    confidence: float,
    margin: float,
) -> Row:
    old = np.array([value_of(trial, metric) for trial in before])
    new = np.array([value_of(trial, metric) for trial in after])
    found = change(
        old,
        new,
        higher_is_better=HIGHER_IS_BETTER[metric],
        margin=margin,
        confidence=confidence,
    )
    versions = {n: v for n, v in after[0].versions.items() if before[0].versions.get(n) != v}
    note = ", ".join(f"{n} {before[0].versions.get(n, 'none')} → {v}" for n, v in versions.items())
    if not note and before[0].build.digest != after[0].build.digest:
        note = "its source changed"
    return Row(*place, metric, float(np.median(old)), float(np.median(new)), found, note)


def _refuse_unlike(old: RunRecord, new: RunRecord) -> None:
    if old.machine.get("fingerprint") != new.machine.get("fingerprint"):
        raise UserError(
            f"runs {old.id} and {new.id} were made on different machines; --force compares them "
            "all the same"
        )
    for key in ("scenarios", "loads", "limits"):
        if key == "scenarios":
            then = {_name(s): s for s in old.study[key]}
            unlike = [n for s in new.study[key] if then.get(n := _name(s), s) != s]
        else:
            unlike = [key] if old.study[key] != new.study[key] else []
        if unlike:
            raise UserError(
                f"runs {old.id} and {new.id} did different work ({key}); --force compares them "
                "all the same"
            )


def _name(scenario: object) -> str:
    return scenario["name"] if isinstance(scenario, dict) else str(scenario)


def _places(run: RunRecord) -> dict[Place, list[TrialRecord]]:
    found: dict[Place, list[TrialRecord]] = {}
    for trial in run.trials:
        if trial.status == "ok" and trial.measurement and not trial.control:
            found.setdefault((trial.entry, trial.scenario, trial.load), []).append(trial)
    return found
