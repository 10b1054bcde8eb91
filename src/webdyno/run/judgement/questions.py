"""The questions of a study, and what the statistics answer to each."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.terms.metric import METRICS
from webdyno.run.judgement.conditions import Conditions
from webdyno.run.judgement.figures import figures_of, least_of
from webdyno.run.judgement.unrankable import (
    still_warming,
    why_unrankable,
    why_unrankable_by_latency,
)
from webdyno.store.disqualification import Lies
from webdyno.store.records import TrialRecord, entry_label
from webdyno.verdict.comparison.compare import compare
from webdyno.verdict.types import Verdict


class Question(NamedTuple):
    """How the entries of one scenario and load compare by one metric; `trials` are of that cell."""

    scenario: str
    load: str
    metric: str
    trials: list[TrialRecord]


class StatisticalAnswer(NamedTuple):
    """The statistics' own verdict on a question, and the table that it was made from."""

    verdict: Verdict
    values: NDArray[np.float64]
    """Blocks x entries; NaN where a trial is missing, did not count or was not shown to be warm."""


def questions_of(study: StudyManifest, trials: list[TrialRecord]) -> Iterator[Question]:
    """What `trials` may answer, in the study's order."""
    cells = list(dict.fromkeys(trial.cell for trial in trials))
    for scenario, load in sorted(cells, key=lambda cell: _place(study, *cell)):
        of_cell = [trial for trial in trials if trial.cell == (scenario, load)]
        for metric in study.metrics_of(load):
            yield Question(scenario, load, metric, of_cell)


def statistical_answer(
    study: StudyManifest,
    conditions: Conditions,
    lies: Lies,
    question: Question,
) -> StatisticalAnswer:
    """Compare the entries of `question`; those that `lies` tells of are not ranked."""
    scenario, load, metric, trials = question
    labels = list(dict.fromkeys(trial.entry for trial in sorted(trials, key=lambda t: t.index)))
    values = _table(labels, trials, metric)
    open_ = {
        label: f"not settled: {why}"
        for label, why in still_warming(trials, conditions.looks.least).items()
    }
    unrankable = {label: reason for label in labels if (reason := why_unrankable(label, trials))}
    if METRICS[metric].flattered_by_unevenness:
        unrankable |= {
            label: why for label in labels if (why := why_unrankable_by_latency(label, trials))
        }
    lied = {label: lies[scenario, label] for label in labels if (scenario, label) in lies}
    verdict = compare(
        values,
        labels,
        higher_is_better=METRICS[metric].higher_is_better,
        margin=study.margin,
        confidence=study.confidence_of(load, metric),
        control=_control(study, labels),
        looks=conditions.looks,
        speeds=conditions.speeds_of(len(values), (scenario, load)),
        not_ranked={**open_, **unrankable, **lied},
        at_least=lower_bounds(trials, metric),
    )
    return StatisticalAnswer(verdict, values)


def lower_bounds(trials: list[TrialRecord], metric: str) -> set[str]:
    """Entries whose figures are the least that they can do."""
    labels = {trial.entry for trial in trials}
    return {one for one in labels if least_of([t for t in trials if t.entry == one], metric)}


def _table(labels: list[str], trials: list[TrialRecord], metric: str) -> NDArray[np.float64]:
    """The `values` of a `StatisticalAnswer`."""
    blocks = 1 + max(trial.block for trial in trials)
    table = np.full((blocks, len(labels)), math.nan)
    for place, label in enumerate(labels):
        of_entry = [trial for trial in trials if trial.entry == label]
        for trial, value in zip(of_entry, figures_of(of_entry, metric), strict=True):
            if trial.is_evidence:
                table[trial.block, place] = value
    return table


def _control(study: StudyManifest, labels: list[str]) -> tuple[int, int] | None:
    server, _, variant = study.control.partition("@")
    pair = [entry_label(server, variant or "default", control) for control in (False, True)]
    if not study.control or not set(pair) <= set(labels):
        return None
    return labels.index(pair[0]), labels.index(pair[1])


def _place(study: StudyManifest, scenario: str, load: str) -> tuple[int, int]:
    """The study's own order of scenarios and loads."""
    scenarios = [entry.title for entry in study.entries()]
    loads = [one.label() for one in study.loads]
    return scenarios.index(scenario), loads.index(load)
