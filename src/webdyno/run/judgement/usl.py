"""From trials to how servers scale over the connections, or the cores, of a study's loads."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.studies.study import StudyManifest
from webdyno.store.records import TrialRecord
from webdyno.store.usl import RangeRecord, UslEntry, UslRecord
from webdyno.verdict.estimation.usl import Range, fit, refusal
from webdyno.verdict.limits.limit import NOT_ITS_OWN

Over = Literal["connections", "cores"]

ASKED_FROM = 3
"""Different numbers from which a study is taken to ask how servers scale: two are a comparison."""


def usl_records(study: StudyManifest, trials: list[TrialRecord]) -> list[UslRecord]:
    """How the entries scale in each scenario, over connections and over cores.

    Over connections a record says, too, why there is none over cores, where the machine has too
    few for it.
    """
    records: list[UslRecord] = []
    for entry in study.entries():
        mine = [trial for trial in trials if trial.scenario == entry.title and not trial.control]
        overs: tuple[Over, ...] = ("connections", "cores")
        for over in overs:
            numbers = _numbers(study, over)
            if len(set(numbers.values())) >= ASKED_FROM and mine:
                records.append(_record(study, entry.title, over, numbers, mine))
        overs_found = {record.over for record in records if record.scenario == entry.title}
        if overs_found == {"connections"} and (reason := _too_few_cores(mine)):
            records.append(
                UslRecord(
                    scenario=entry.title, over="cores", reason=reason, confidence=study.confidence
                )
            )
    return records


def _numbers(study: StudyManifest, over: Over) -> dict[str, int]:
    """The number of `over` of each sound closed load, by its label: those that differ in nothing
    else, of which there are the most."""
    families: dict[str, dict[str, int]] = {}
    for load in study.chosen_loads():
        if isinstance(load, Closed) and load.method == "sound":
            alike = load.model_dump_json(exclude={"name", over})
            number = load.connections if over == "connections" else load.cores
            if number is not None:
                families.setdefault(alike, {})[load.label()] = number
    return max(families.values(), key=len, default={})


def _record(
    study: StudyManifest,
    scenario: str,
    over: Over,
    numbers: dict[str, int],
    trials: list[TrialRecord],
) -> UslRecord:
    counts = np.array(sorted(set(numbers.values())), dtype=float)
    record = UslRecord(
        scenario=scenario,
        over=over,
        reason=refusal(counts, over),
        confidence=study.confidence,
    )
    if record.reason:
        return record
    mine = [trial for trial in trials if trial.load in numbers]
    labels = dict.fromkeys(trial.entry for trial in sorted(mine, key=lambda trial: trial.index))
    for label in labels:
        own = [trial for trial in mine if trial.entry == label]
        record.entries.append(_entry(label, own, numbers, counts, over, study.confidence))
    return record


def _entry(
    label: str,
    trials: list[TrialRecord],
    numbers: dict[str, int],
    counts: NDArray[np.float64],
    over: Over,
    confidence: float,
) -> UslEntry:
    table = np.full((1 + max(trial.block for trial in trials), len(counts)), math.nan)
    bound: set[int] = set()
    for trial in trials:
        number = numbers[trial.load]
        if not trial.is_evidence or trial.measurement is None:
            continue
        if trial.limit in NOT_ITS_OWN:
            bound.add(number)  # What the generator limited says nothing of the server's law.
            continue
        table[trial.block, int(np.searchsorted(counts, number))] = trial.measurement.throughput_rps
    known = np.isfinite(table).any(axis=0)
    fitted = fit(counts, table, confidence)
    if fitted is None:
        reason = refusal(counts[known], over) or "too few trials"
        if bound:
            reason += f"; the generator was the limit at {', '.join(map(str, sorted(bound)))}"
        return UslEntry(entry=label, reason=reason)
    medians = np.nanmedian(table[:, known], axis=0)
    return UslEntry(
        entry=label,
        one_rps=_range(fitted.one_rps),
        sigma=_range(fitted.sigma),
        kappa=_range(fitted.kappa),
        peak_at=_range(fitted.peak_at),
        peak_rps=_range(fitted.peak_rps),
        extrapolated=fitted.extrapolated,
        misfit=fitted.misfit,
        blocks=fitted.blocks,
        points=[(float(n), float(x)) for n, x in zip(counts[known], medians, strict=True)],
        curve=list(fitted.curve),
    )


def _range(fitted: Range) -> RangeRecord:
    return RangeRecord(
        estimate=fitted.estimate if math.isfinite(fitted.estimate) else None,
        low=fitted.low if math.isfinite(fitted.low) else 0.0,
        high=fitted.high if math.isfinite(fitted.high) else None,
    )


def _too_few_cores(trials: list[TrialRecord]) -> str:
    given = {t.measurement.cpu["server"].cores for t in trials if t.measurement is not None}
    cores = int(max(given, default=0))
    if not cores or not refusal(np.arange(1.0, cores + 1), "cores"):
        return ""
    have = "1 core" if cores == 1 else f"{cores} cores"
    return f"servers can have at most {have} here; {refusal(np.arange(1.0, cores + 1), 'cores')}"
