"""A verdict as it is stored: the statistics' answer to a question, with what a reader needs."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.terms.metric import METRICS
from webdyno.run.judgement.conditions import Conditions
from webdyno.run.judgement.describe import describe_blocks, describe_warmups
from webdyno.run.judgement.figures import value_of
from webdyno.run.judgement.questions import Question, lower_bounds, statistical_answer
from webdyno.run.judgement.unrankable import still_warming
from webdyno.store.disqualification import Lies
from webdyno.store.records import TrialRecord
from webdyno.store.verdicts import NotRanked, RatioRecord, RestlessRecord, VerdictRecord
from webdyno.verdict.capacity import Capacity, capacity
from webdyno.verdict.estimation.absolute import level
from webdyno.verdict.steadiness.restless import restless
from webdyno.verdict.types import Ratio


def verdict_record(
    study: StudyManifest,
    conditions: Conditions,
    lies: Lies,
    question: Question,
) -> VerdictRecord:
    """What is stored of the answer to `question`; those that `lies` tells of have no figures."""
    scenario, load, metric, trials = question
    verdict, values = statistical_answer(study, conditions, lies, question)
    # What a liar was fast at is not known: it has no figure.
    columns = {
        label: values[:, place]
        for place, label in enumerate(verdict.entries)
        if (scenario, label) not in lies
    }
    measured = {label: column for label, column in columns.items() if np.isfinite(column).any()}
    medians = {label: float(np.nanmedian(column)) for label, column in measured.items()}
    intervals = {label: level(column, verdict.confidence) for label, column in measured.items()}
    warming = still_warming(trials, conditions.looks.least)
    for label in warming:
        if (scenario, label) in lies:
            continue
        # Shown, though it settles nothing.
        shown = [value_of(t, metric) for t in trials if t.entry == label and t.status == "ok"]
        if known := [value for value in shown if math.isfinite(value)]:
            medians[label] = statistics.median(known)
    if METRICS[metric].searched:
        capacities = {label: _capacity(label, trials, verdict.confidence) for label in measured}
        intervals = {label: (one.low_rps, one.high_rps) for label, one in capacities.items()}
        medians.update({label: one.rps for label, one in capacities.items()})
    few = verdict.blocks < conditions.looks.first
    least = lower_bounds(trials, metric)
    return VerdictRecord(
        scenario=scenario,
        load=load,
        metric=metric,
        higher_is_better=verdict.higher_is_better,
        entries=list(verdict.entries),
        # What was measured too seldom has no place: one group of all would be called a tie.
        groups=[] if few else [list(group) for group in verdict.groups],
        ratios=[
            ratio_record(_estimated(ratio, columns, verdict.higher_is_better), few)
            for ratio in verdict.ratios
        ],
        medians=medians,
        intervals={
            label: ends for label, ends in intervals.items() if ends is not None and not few
        },
        not_ranked=[
            NotRanked(
                entry=left.entry,
                reason=left.reason,
                kind=_kind(left.entry, (scenario, left.entry) in lies, warming),
            )
            for left in verdict.not_ranked
        ],
        control=ratio_record(verdict.control)
        if verdict.control and _known(verdict.control, least)
        else None,
        resolution=verdict.resolution,
        blocks=verdict.blocks,
        blocks_needed=conditions.looks.first,
        machine=describe_blocks(
            values,
            verdict.entries,
            conditions.speeds_of(len(values), (scenario, load)),
            verdict.higher_is_better,
        ),
        warmups=describe_warmups(trials),
        restless=[
            RestlessRecord(entry=one.entry, spread=one.spread, usual=one.usual)
            for one in restless(values, verdict.entries)
        ],
        settled=verdict.settled and all((scenario, label) in lies for label in warming) and not few,
        confidence=verdict.confidence,
        margin=verdict.margin,
    )


def _kind(
    entry: str, lied: bool, warming: Mapping[str, str]
) -> Literal["", "still-warming", "disqualified"]:
    if lied:
        return "disqualified"
    return "still-warming" if entry in warming else ""


def _capacity(label: str, trials: list[TrialRecord], confidence: float) -> Capacity:
    """An entry's capacity from its searches, of which there is at least one."""
    searches = [t.search for t in trials if t.entry == label and t.is_evidence and t.search]
    capacity_found = capacity(searches, confidence)
    assert capacity_found is not None
    return capacity_found


def _estimated(
    ratio: Ratio, columns: Mapping[str, NDArray[np.float64]], higher_is_better: bool
) -> Ratio:
    """`ratio`; of two that no block holds, which has no estimate, with that of their medians."""
    if math.isfinite(ratio.estimate):
        return ratio
    # As `compare` does: a figure of zero, which has no logarithm, does not count.
    sides = (columns[label] for label in (ratio.of, ratio.to))
    of, to = (float(np.median(side[np.isfinite(side) & (side > 0)])) for side in sides)
    apart = of / to
    apart = apart if higher_is_better else 1 / apart
    return replace(ratio, estimate=min(max(apart, ratio.low), ratio.high))


def _known(ratio: Ratio, least: Collection[str]) -> bool:
    """Whether something is known of it; beside one of `least` that may have one end only."""
    if ratio.of in least or ratio.to in least:
        return math.isfinite(ratio.estimate)
    return math.isfinite(ratio.estimate) and ratio.low > 0 and math.isfinite(ratio.high)


def ratio_record(ratio: Ratio, few: bool = False) -> RatioRecord:
    """The ratio as it is stored; with `few` nothing is concluded from it yet."""
    return RatioRecord(
        of=ratio.of,
        to=ratio.to,
        estimate=ratio.estimate,
        low=ratio.low,
        high=ratio.high,
        p=ratio.p_adjusted,
        outcome="too few blocks" if few else ratio.outcome,
        out_of_reach=ratio.out_of_reach and not (few or ratio.settled),
    )
