"""From trials to verdicts: one for each scenario, load and metric of the study."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.terms.metric import METRICS
from webdyno.run.judgement.describe import describe_blocks, describe_warmups
from webdyno.run.judgement.metric import figures_of, least_of, value_of
from webdyno.run.judgement.unrankable import (
    still_warming,
    why_unrankable,
    why_unrankable_by_latency,
)
from webdyno.store.disqualification import disqualifications
from webdyno.store.records import RunRecord, TrialRecord, entry_label
from webdyno.store.verdicts import NotRanked, RatioRecord, RestlessRecord, VerdictRecord
from webdyno.verdict.capacity import Capacity, capacity
from webdyno.verdict.comparison.compare import compare
from webdyno.verdict.estimation.absolute import level
from webdyno.verdict.sequential.looks import LEAST_BLOCKS, Looks
from webdyno.verdict.sequential.stopping import next_blocks
from webdyno.verdict.steadiness.restless import restless
from webdyno.verdict.types import Ratio, Verdict


@dataclass(frozen=True)
class Conditions:
    """What a verdict depends on beside the study and its trials."""

    looks: Looks
    """Fixed before the first trial."""
    speeds: dict[int, float] = field(default_factory=dict)
    """The sentinel's figure by block."""

    among: dict[tuple[str, str], dict[int, float]] = field(default_factory=dict)
    """The same by scenario and load, where a sentinel names those that it stands among."""

    def speeds_of(self, blocks: int, cell: tuple[str, str]) -> NDArray[np.float64] | None:
        """The sentinel's figures of the first `blocks` of `cell`, which is a scenario and a load;
        None where there are none."""
        speeds = {**self.speeds, **self.among.get(cell, {})}
        if not speeds:
            return None
        return np.array([speeds.get(block, math.nan) for block in range(blocks)])


def conditions_of(run: RunRecord, study: StudyManifest) -> Conditions:
    """Those of a run, as it has got so far."""
    speeds: dict[int, float] = {}
    among: dict[tuple[str, str], dict[int, float]] = {}
    for one in run.sentinels:
        cells = [one.cell] if one.scenario else one.cells
        for those in [among.setdefault(cell, {}) for cell in cells] or [speeds]:
            those[one.block] = one.throughput_rps
    return Conditions(looks_of(study, run.planned_blocks), speeds, among)


def judge(
    study: StudyManifest, trials: list[TrialRecord], conditions: Conditions | None = None
) -> list[VerdictRecord]:
    """What the trials so far support. Call it after every block, with all trials."""
    given = conditions or Conditions(looks_of(study))
    lies = disqualifications(trials)
    return [_verdict(study, given, lies, *question) for question in _questions(study, trials)]


def still_needed(
    study: StudyManifest, trials: list[TrialRecord], conditions: Conditions | None = None
) -> set[tuple[str, str, str]]:
    """Entry, scenario and load of the trials that the next block has to make.

    An entry that is settled against all others of its cell, on every metric, or cannot be, is
    measured no more; nothing is needed where that holds of all. Depends on `trials` alone, so a
    resumed run decides alike.
    """
    given = conditions or Conditions(looks_of(study))
    lies = disqualifications(trials)
    needed: set[tuple[str, str, str]] = set()
    for scenario, load, metric, of_cell in _questions(study, trials):
        verdict, _values = _compare(study, given, lies, metric, of_cell)
        plan = next_blocks(verdict, looks=given.looks)
        needed |= {(entry, scenario, load) for entry in plan.entries_still_needed}
        if still_warming(of_cell, given.looks.least):
            # Nobody is settled against one that is not: both must be in the same blocks.
            left_out = {
                left.entry
                for left in verdict.not_ranked
                if (scenario, left.entry) in lies or why_unrankable(left.entry, of_cell)
            }
            needed |= {(one, scenario, load) for one in verdict.entries if one not in left_out}
    return needed


def looks_of(study: StudyManifest, planned: int | None = None) -> Looks:
    """How often a run may look that has `planned` so many blocks; the study's most where it has
    not planned them by its budget."""
    first = max(LEAST_BLOCKS, study.blocks.min)
    most = max(planned or study.blocks.max, first)
    return Looks(planned=most, first=first, late=study.blocks.late)


def _verdict(
    study: StudyManifest,
    given: Conditions,
    lies: Mapping[tuple[str, str], str],
    scenario: str,
    load: str,
    metric: str,
    trials: list[TrialRecord],
) -> VerdictRecord:
    verdict, values = _compare(study, given, lies, metric, trials)
    # What a liar was fast at is not known: it has no figure.
    columns = {
        label: values[:, place]
        for place, label in enumerate(verdict.entries)
        if (scenario, label) not in lies
    }
    measured = {label: column for label, column in columns.items() if np.isfinite(column).any()}
    medians = {label: float(np.nanmedian(column)) for label, column in measured.items()}
    intervals = {label: level(column, verdict.confidence) for label, column in measured.items()}
    warming = still_warming(trials, given.looks.least)
    for label in warming:
        if (scenario, label) in lies:
            continue
        # Shown, though it settles nothing.
        shown = [value_of(t, metric) for t in trials if t.entry == label and t.status == "ok"]
        if known := [value for value in shown if math.isfinite(value)]:
            medians[label] = statistics.median(known)
    if METRICS[metric].searched:
        found = {label: _capacity(label, trials, verdict.confidence) for label in measured}
        intervals = {label: (one.low_rps, one.high_rps) for label, one in found.items()}
        medians.update({label: one.rps for label, one in found.items()})
    few = verdict.blocks < given.looks.first
    least = _leasts(trials, metric)
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
            label: found for label, found in intervals.items() if found is not None and not few
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
        blocks_needed=given.looks.first,
        machine=describe_blocks(
            values,
            verdict.entries,
            given.speeds_of(len(values), (scenario, load)),
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
    mine = [t.search for t in trials if t.entry == label and t.is_evidence and t.search]
    found = capacity(mine, confidence)
    assert found is not None
    return found


def _compare(
    study: StudyManifest,
    given: Conditions,
    lies: Mapping[tuple[str, str], str],
    metric: str,
    trials: list[TrialRecord],
) -> tuple[Verdict, NDArray[np.float64]]:
    """The statistics' own verdict on one cell, and the table it was made from."""
    labels = list(dict.fromkeys(trial.entry for trial in sorted(trials, key=lambda t: t.index)))
    values = _table(labels, trials, metric)
    open_ = {
        label: f"not settled: {why}"
        for label, why in still_warming(trials, given.looks.least).items()
    }
    unrankable = {label: reason for label in labels if (reason := why_unrankable(label, trials))}
    if METRICS[metric].flattered_by_unevenness:
        unrankable |= {
            label: why for label in labels if (why := why_unrankable_by_latency(label, trials))
        }
    scenario, load = trials[0].scenario, trials[0].load
    lied = {label: lies[scenario, label] for label in labels if (scenario, label) in lies}
    verdict = compare(
        values,
        labels,
        higher_is_better=METRICS[metric].higher_is_better,
        margin=study.margin,
        confidence=study.confidence_of(load, metric),
        control=_control(study, labels),
        looks=given.looks,
        speeds=given.speeds_of(len(values), (scenario, load)),
        not_ranked={**open_, **unrankable, **lied},
        at_least=_leasts(trials, metric),
    )
    return verdict, values


def _questions(
    study: StudyManifest, trials: list[TrialRecord]
) -> Iterator[tuple[str, str, str, list[TrialRecord]]]:
    """Scenario, load, metric and the trials they are about, in the study's order."""
    cells = list(dict.fromkeys(trial.cell for trial in trials))
    for scenario, load in sorted(cells, key=lambda cell: _place(study, *cell)):
        of_cell = [trial for trial in trials if trial.cell == (scenario, load)]
        for metric in study.metrics_of(load):
            yield scenario, load, metric, of_cell


def _table(labels: list[str], trials: list[TrialRecord], metric: str) -> NDArray[np.float64]:
    """Blocks x entries; NaN where a trial is missing, did not count or was not shown to be warm."""
    blocks = 1 + max(trial.block for trial in trials)
    table = np.full((blocks, len(labels)), math.nan)
    for place, label in enumerate(labels):
        mine = [trial for trial in trials if trial.entry == label]
        for trial, value in zip(mine, figures_of(mine, metric), strict=True):
            if trial.is_evidence:
                table[trial.block, place] = value
    return table


def _control(study: StudyManifest, labels: list[str]) -> tuple[int, int] | None:
    server, _, variant = study.control.partition("@")
    pair = [entry_label(server, variant or "default", control) for control in (False, True)]
    if not study.control or not set(pair) <= set(labels):
        return None
    return labels.index(pair[0]), labels.index(pair[1])


def _leasts(trials: list[TrialRecord], metric: str) -> set[str]:
    """Entries whose figures are the least that they can do."""
    labels = {trial.entry for trial in trials}
    return {one for one in labels if least_of([t for t in trials if t.entry == one], metric)}


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


def _place(study: StudyManifest, scenario: str, load: str) -> tuple[int, int]:
    """The study's own order of scenarios and loads."""
    scenarios = [entry.title for entry in study.entries()]
    loads = [one.label() for one in study.loads]
    return scenarios.index(scenario), loads.index(load)
