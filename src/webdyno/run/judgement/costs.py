"""From trials to what one more of something costs, as the study's `costs` ask."""

from __future__ import annotations

import numpy as np

from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.studies.study_tables import Cost
from webdyno.run.judgement.figures import value_of
from webdyno.store.findings import CostPoint, CostRecord, EntryCost, StackStep
from webdyno.store.records import TrialRecord
from webdyno.verdict.array import Array
from webdyno.verdict.estimation.slope import slope, steps


def costs_of(study: StudyManifest, trials: list[TrialRecord]) -> list[CostRecord]:
    """What the trials so far tell of each cost, under each load that two of its levels share.

    The cost of a request is the server's CPU time, which needs no server that is busy throughout.
    An entry with one level, and the second entry of the A/A pair, are left out; an entry's interval
    is None until two blocks hold two of its levels. All intervals of a record hold together.
    """
    return [
        record
        for cost in study.costs
        for load in study.chosen_loads()
        if (record := _cost(study, cost, load.label(), trials)) is not None
    ]


def _cost(
    study: StudyManifest, cost: Cost, load: str, trials: list[TrialRecord]
) -> CostRecord | None:
    at = study.levels(cost)
    mine = [
        trial
        for trial in trials
        if trial.load == load and trial.scenario in at and trial.is_evidence and not trial.control
    ]
    of_entry: dict[str, list[TrialRecord]] = {}
    for trial in mine:
        of_entry.setdefault(trial.entry, []).append(trial)
    known = {
        entry: own
        for entry, own in of_entry.items()
        if len({at[trial.scenario] for trial in own}) > 1
    }
    if not known:
        return None
    return CostRecord(
        scenario=cost.scenario,
        load=load,
        parameter=cost.parameter,
        each=cost.each,
        confidence=study.confidence,
        entries=[
            _entry(study, cost, entry, at, known[entry], len(known))
            for entry in sorted(known, key=lambda entry: (study.servers.index(entry), entry))
        ],
    )


def _entry(
    study: StudyManifest,
    cost: Cost,
    entry: str,
    at: dict[str, float],
    trials: list[TrialRecord],
    entries: int,
) -> EntryCost:
    here = {at[trial.scenario] for trial in trials}
    # A step is told between neighbours only: a level that is missing is a gap, not a longer step.
    levels = sorted(set(at.values()) if cost.steps else here)
    table = _table(levels, at, trials)
    places = np.array(levels)
    held = np.isfinite(table).sum(axis=0)
    mean = np.where(held > 0, np.nansum(table, axis=0) / np.maximum(held, 1), np.nan)
    made = EntryCost(
        entry=entry,
        points=[
            CostPoint(at=level, cost_ns=float(ns), trials=int(count))
            for level, ns, count in zip(levels, mean, held, strict=True)
            if count
        ],
    )
    if cost.steps:
        together = entries * (len(levels) - 1)
        sure = {
            step.level: step
            for step in steps(places, table, confidence=study.confidence, together=together)
        }
        made.steps = [
            StackStep(
                name=_name(cost, before, level),
                at=level,
                cost_ns=sure[level].estimate if level in sure else float(ns),
                low_ns=sure[level].low if level in sure else None,
                high_ns=sure[level].high if level in sure else None,
                blocks=sure[level].blocks if level in sure else 1,
            )
            for before, level, ns in zip(levels, levels[1:], np.diff(mean), strict=False)
            if np.isfinite(ns)
        ]
        return made
    fitted = slope(places, table, confidence=study.confidence, comparisons=entries)
    if fitted is not None:
        made.each_ns, made.low_ns, made.high_ns = fitted.estimate, fitted.low, fitted.high
        made.none_ns, made.misfit_ns, made.blocks = fitted.intercept, fitted.misfit, fitted.blocks
    return made


def _name(cost: Cost, before: float, level: float) -> str:
    """What is added from one level to the next: more than one, where levels are left out."""
    return ", ".join(cost.steps[int(before) : int(level)])


def _table(levels: list[float], at: dict[str, float], trials: list[TrialRecord]) -> Array:
    """Blocks x levels: nanoseconds of CPU a request; NaN where there is no trial that counts."""
    blocks = 1 + max(trial.block for trial in trials)
    table = np.full((blocks, len(levels)), np.nan)
    for trial in trials:
        place = levels.index(at[trial.scenario])
        table[trial.block, place] = value_of(trial, "cpu_us_per_request") * 1000
    return table
