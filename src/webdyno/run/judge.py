"""From trials to verdicts: one for each scenario, load and metric of the study."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webdyno.catalog.study import HIGHER_IS_BETTER, StudyManifest
from webdyno.run.describe import describe_blocks, describe_warmups
from webdyno.run.metric import value_of
from webdyno.store.records import RunRecord, TrialRecord, entry_label
from webdyno.store.verdicts import NotRanked, RatioRecord, VerdictRecord
from webdyno.verdict.absolute import level
from webdyno.verdict.capacity import Capacity, capacity
from webdyno.verdict.compare import compare
from webdyno.verdict.looks import Looks
from webdyno.verdict.stopping import next_blocks
from webdyno.verdict.types import Ratio, Verdict


@dataclass(frozen=True)
class Conditions:
    """What a verdict depends on beside the study and its trials."""

    looks: Looks
    """Fixed before the first trial."""
    speeds: dict[int, float] = field(default_factory=dict)
    """The sentinel's figure by block."""

    def speeds_of(self, blocks: int) -> NDArray[np.float64] | None:
        """The sentinel's figures of the first `blocks`; None where there are none."""
        if not self.speeds:
            return None
        return np.array([self.speeds.get(block, math.nan) for block in range(blocks)])


def conditions_of(run: RunRecord, study: StudyManifest) -> Conditions:
    """Those of a run, as it has got so far."""
    first = max(2, study.blocks.min)
    planned = max(run.planned_blocks or study.blocks.max, first)
    speeds = {sentinel.block: sentinel.throughput_rps for sentinel in run.sentinels}
    return Conditions(Looks(planned=planned, first=first), speeds)


def judge(
    study: StudyManifest, trials: list[TrialRecord], conditions: Conditions | None = None
) -> list[VerdictRecord]:
    """What the trials so far support. Call it after every block, with all trials."""
    given = conditions or Conditions(looks_of(study))
    return [_verdict(study, given, *question) for question in _questions(study, trials)]


def still_needed(
    study: StudyManifest, trials: list[TrialRecord], conditions: Conditions | None = None
) -> set[tuple[str, str, str]]:
    """Entry, scenario and load of the trials that the next block has to make.

    An entry that is settled against all others of its cell, on every metric, is measured no more;
    nothing is needed where all are. Depends on `trials` alone, so a resumed run decides alike.
    """
    given = conditions or Conditions(looks_of(study))
    needed: set[tuple[str, str, str]] = set()
    for scenario, load, metric, of_cell in _questions(study, trials):
        verdict, _values = _compare(study, given, metric, of_cell)
        plan = next_blocks(verdict, looks=given.looks)
        needed |= {(entry, scenario, load) for entry in plan.entries_still_needed}
    return needed


def looks_of(study: StudyManifest) -> Looks:
    """How often a run may look that has not planned its blocks by its budget."""
    first = max(2, study.blocks.min)
    return Looks(planned=max(study.blocks.max, first), first=first)


def _verdict(
    study: StudyManifest,
    given: Conditions,
    scenario: str,
    load: str,
    metric: str,
    trials: list[TrialRecord],
) -> VerdictRecord:
    verdict, values = _compare(study, given, metric, trials)
    columns = {label: values[:, place] for place, label in enumerate(verdict.entries)}
    measured = {label: column for label, column in columns.items() if np.isfinite(column).any()}
    medians = {label: float(np.nanmedian(column)) for label, column in measured.items()}
    intervals = {label: level(column, study.confidence) for label, column in measured.items()}
    if metric == "capacity_rps":
        found = {label: _capacity(study, label, trials) for label in measured}
        intervals = {label: (one.low_rps, one.high_rps) for label, one in found.items()}
        medians = {label: one.rps for label, one in found.items()}
    return VerdictRecord(
        scenario=scenario,
        load=load,
        metric=metric,
        higher_is_better=verdict.higher_is_better,
        entries=list(verdict.entries),
        groups=[list(group) for group in verdict.groups],
        ratios=[_ratio(ratio) for ratio in verdict.ratios if _known(ratio)],
        medians=medians,
        intervals={label: found for label, found in intervals.items() if found is not None},
        not_ranked=[NotRanked(entry=left.entry, reason=left.reason) for left in verdict.not_ranked],
        control=_ratio(verdict.control) if verdict.control and _known(verdict.control) else None,
        resolution=verdict.resolution,
        blocks=verdict.blocks,
        machine=describe_blocks(
            values, verdict.entries, given.speeds_of(len(values)), verdict.higher_is_better
        ),
        warmups=describe_warmups(trials),
        settled=verdict.settled,
        confidence=verdict.confidence,
        margin=verdict.margin,
    )


def _capacity(study: StudyManifest, label: str, trials: list[TrialRecord]) -> Capacity:
    """An entry's capacity from its searches, of which there is at least one."""
    mine = [t.search for t in trials if t.entry == label and t.status == "ok" and t.search]
    found = capacity(mine, study.confidence)
    assert found is not None
    return found


def _compare(
    study: StudyManifest, given: Conditions, metric: str, trials: list[TrialRecord]
) -> tuple[Verdict, NDArray[np.float64]]:
    """The statistics' own verdict on one cell, and the table it was made from."""
    labels = list(dict.fromkeys(trial.entry for trial in sorted(trials, key=lambda t: t.index)))
    values = _table(labels, trials, metric)
    verdict = compare(
        values,
        labels,
        higher_is_better=HIGHER_IS_BETTER[metric],
        margin=study.margin,
        confidence=study.confidence,
        control=_control(study, labels),
        looks=given.looks,
        speeds=given.speeds_of(len(values)),
        not_ranked={label: reason for label in labels if (reason := unfit(label, trials))},
    )
    return verdict, values


def _questions(
    study: StudyManifest, trials: list[TrialRecord]
) -> Iterator[tuple[str, str, str, list[TrialRecord]]]:
    """Scenario, load, metric and the trials they are about, in the study's order."""
    cells = list(dict.fromkeys((trial.scenario, trial.load) for trial in trials))
    for scenario, load in sorted(cells, key=lambda cell: _place(study, *cell)):
        of_cell = [trial for trial in trials if (trial.scenario, trial.load) == (scenario, load)]
        for metric in study.metrics_of(load):
            yield scenario, load, metric, of_cell


def _table(labels: list[str], trials: list[TrialRecord], metric: str) -> NDArray[np.float64]:
    """Blocks x entries; NaN where a trial is missing or did not count."""
    blocks = 1 + max(trial.block for trial in trials)
    table = np.full((blocks, len(labels)), math.nan)
    for trial in trials:
        if trial.status == "ok":
            table[trial.block, labels.index(trial.entry)] = value_of(trial, metric)
    return table


def unfit(label: str, trials: list[TrialRecord]) -> str:
    """Why an entry must not be ranked; empty where it may be."""
    mine = [trial for trial in trials if trial.entry == label]
    bad = [trial for trial in mine if trial.status != "ok"]
    if len(bad) * 2 >= len(mine):
        reasons = Counter(trial.reason for trial in bad)
        return f"{len(bad)} of {len(mine)} trials did not count: {reasons.most_common(1)[0][0]}"
    unmet = [t.search for t in mine if t.search is not None and t.search.kind == "not-met"]
    if len(unmet) * 2 >= len(mine):
        return f"does not meet {unmet[0].objective} at any rate: {unmet[0].reason}"
    bound = [trial for trial in mine if trial.bottleneck == "generator-bound"]
    if len(bound) * 2 >= len(mine):
        if held := [t.search.capacity_rps for t in bound if t.search is not None]:
            return f"at least {min(held):,.0f}/s: there the generator's limit was reached"
        return (
            f"generator-bound in {len(bound)} of {len(mine)} trials: the generator's limit was "
            "measured, not the server's"
        )
    return ""


def _control(study: StudyManifest, labels: list[str]) -> tuple[int, int] | None:
    server, _, variant = study.control.partition("@")
    pair = [entry_label(server, variant or "default", control) for control in (False, True)]
    if not study.control or not set(pair) <= set(labels):
        return None
    return labels.index(pair[0]), labels.index(pair[1])


def _known(ratio: Ratio) -> bool:
    return math.isfinite(ratio.estimate) and ratio.low > 0 and math.isfinite(ratio.high)


def _ratio(ratio: Ratio) -> RatioRecord:
    return RatioRecord(
        of=ratio.of,
        to=ratio.to,
        estimate=ratio.estimate,
        low=ratio.low,
        high=ratio.high,
        p=ratio.p_adjusted,
        outcome=ratio.outcome,
    )


def _place(study: StudyManifest, scenario: str, load: str) -> tuple[int, int]:
    """The study's own order of scenarios and loads."""
    scenarios = [entry.title for entry in study.entries()]
    loads = [one.label() for one in study.loads]
    return scenarios.index(scenario), loads.index(load)
