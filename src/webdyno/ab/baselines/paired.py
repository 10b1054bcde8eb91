"""What a run of pairs says: each server beside itself as it was in an older run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from webdyno.ab.baselines.baseline import baseline_label
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.comparison.broken import NotCompared, any_ok, broken_at, not_measured, told_late
from webdyno.run.comparison.comparable import ACROSS, likeness
from webdyno.run.comparison.compare import ComparedRow, Comparison, cautions_of, missing_end
from webdyno.run.judgement.conditions import conditions_of
from webdyno.run.judgement.figures import least_of
from webdyno.run.judgement.judge import judge
from webdyno.run.judgement.unrankable import why_unrankable
from webdyno.run.record.unmeasured_cells import unmeasured_cells
from webdyno.store.cell import Place
from webdyno.store.disqualification import disqualifications
from webdyno.store.records import RunRecord, TrialRecord, entry_label
from webdyno.store.stored_study import StoredStudy
from webdyno.store.verdicts import VerdictRecord
from webdyno.verdict.comparison.unpaired import UnpairedChange


def compare_pairs(before: RunRecord, run: RunRecord) -> Comparison:
    """What `run`, which holds both, says of the servers beside what they were in `before`.

    All intervals hold together.
    """
    study = parse_manifest(run.study.as_stored(), StudyManifest, f"the study of run {run.id}")
    pairs = [(name, baseline_label(name)) for name in _candidates(study.servers)]
    comparison = _PairedSoFar(before, run, study)
    cells = list(dict.fromkeys(trial.cell for trial in run.trials))
    claims = len(pairs) * sum(len(study.metrics_of(load)) for _, load in cells)
    confidence = 1 - (1 - study.confidence) / max(1, claims)
    judged_study = study.model_copy(update={"confidence": confidence, "confidences": {}})
    for now, baseline in pairs:
        for scenario, load in cells:
            comparison.look((now, scenario, load), baseline, judged_study)
    comparison.refused += list(_absent(before, run))
    return Comparison(
        before, run, comparison.rows, comparison.refused, None, study.confidence, study.margin,
        [*comparison.cautions, *cautions_of(run, "newer")], paired=True,
    )  # fmt: skip


@dataclass
class _PairedSoFar:
    """What has been found so far."""

    before: RunRecord
    run: RunRecord
    study: StudyManifest
    rows: list[ComparedRow] = field(default_factory=list)
    refused: list[NotCompared] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)

    def look(self, place: Place, baseline: str, study: StudyManifest) -> None:
        """Compare one server at one place with its baseline, whose label is `baseline`."""
        label, scenario, load = place
        cell = [t for t in self.run.trials if t.cell == (scenario, load)]
        mine, baseline_trials = ([t for t in cell if t.entry == one] for one in (label, baseline))
        if not mine:
            return  # As `_absent` tells.
        old = _of(self.before, place)
        if broken := broken_at(place, old or baseline_trials, mine, self.run):
            self.refused.append(broken)
        elif not baseline_trials:
            worked = any_ok(old)
            self.refused.append(_no_baseline(self.run, place, baseline, worked=worked))
        elif unfit := _unfit(self.run, place, baseline, cell):
            self.refused.append(unfit)
        else:
            self._note(label, old, baseline_trials)
            self.cautions += told_late(place, mine, self.run)
            # The control is one of them once more.
            both = [t for t in cell if entry_label(t.server, t.variant) in (label, baseline)]
            verdicts = judge(study, both, conditions_of(self.run, self.study))
            self.rows += [
                _row(one, place, baseline, (mine, baseline_trials), self.run) for one in verdicts
            ]

    def _note(self, label: str, old: list[TrialRecord], baseline_trials: list[TrialRecord]) -> None:
        """What was otherwise when the baseline was first measured."""
        if not old:
            return
        # A baseline is of the source that it was, though its digest may be of an older rule.
        then = [one.model_copy(update={"sources": _but_the_servers(one)}) for one in old]
        differs = likeness(
            (self.before, self.run), old[-1].scenario, old[-1].load, (then, baseline_trials), ACROSS
        ).note
        if differs and (caution := f"{label} and its baseline were both measured as of today: "
                        f"{differs}") not in self.cautions:  # fmt: skip
            self.cautions.append(caution)


def _but_the_servers(trial: TrialRecord) -> dict[str, str]:
    return {kind: digest for kind, digest in trial.sources.items() if kind != "server"}


def _row(
    verdict: VerdictRecord,
    place: Place,
    baseline: str,
    sides: tuple[list[TrialRecord], list[TrialRecord]],
    run: RunRecord,
) -> ComparedRow:
    label, change, nan = place[0], None, float("nan")
    mine, baseline_trials = sides
    ratio = verdict.ratio_between(label, baseline)
    least = [least_of(side, verdict.metric) for side in (baseline_trials, mine)]
    if ratio is not None and not verdict.too_few:
        change = UnpairedChange(*ratio.seen_from(label), verdict.margin)
    elif all(least) and not verdict.too_few:
        change = UnpairedChange(1.0, 0.0, math.inf, verdict.margin)
    same = mine[-1].sources.get("server") == baseline_trials[-1].sources.get("server")
    return ComparedRow(
        *place, verdict.metric, verdict.medians.get(baseline, nan), verdict.medians.get(label, nan),
        change, (_count(baseline_trials), _count(mine)),
        ", ".join(filter(None, ("its source is the same" if same else "", missing_end(*least)))),
        _left_out(verdict, (label, baseline)) or _noisy(verdict, run),
    )  # fmt: skip


def _left_out(verdict: VerdictRecord, labels: tuple[str, str]) -> str:
    """Why one of the two has no place, so that nothing is known of the pair; empty where both
    have one."""
    for left in verdict.not_ranked:
        if left.entry in labels:
            return f"{left.entry}: {left.reason.removeprefix('not settled: ')}"
    return ""


def _noisy(verdict: VerdictRecord, run: RunRecord) -> str:
    """That the control differs from itself, or is missing; empty where neither is so.

    A scenario that the control's server does not implement has none, and is judged without."""
    key = (verdict.scenario, verdict.load, verdict.metric)
    of_run = next((v for v in run.verdicts if (v.scenario, v.load, v.metric) == key), None)
    if of_run is None or run.study.control not in of_run.entries:
        return ""
    control = of_run.control
    if control is None:
        return "the control has too few trials"
    if control.low <= 1 <= control.high:
        return ""
    return f"the control differs from itself by {abs(control.estimate - 1):.1%}"


def _count(trials: list[TrialRecord]) -> int:
    return sum(trial.is_evidence for trial in trials)


def _of(run: RunRecord, place: Place) -> list[TrialRecord]:
    return [t for t in run.trials if t.place == place and not t.control]


def _unfit(
    run: RunRecord, place: Place, baseline: str, cell: list[TrialRecord]
) -> NotCompared | None:
    lies = disqualifications(run.trials)
    for label, who in ((place[0], ""), (baseline, ", of its baseline:")):
        if reason := lies.get((place[1], label)) or why_unrankable(label, cell):
            return NotCompared(*place, f"in {run.id}{who} {reason}")
    return None


def _no_baseline(run: RunRecord, place: Place, baseline: str, *, worked: bool) -> NotCompared:
    """A server at a place where its baseline, with the label `baseline`, has no trial. Whoever did
    not work in the older run has nothing to lose by that."""
    row = next((row for row in unmeasured_cells(run) if row.place == (baseline, *place[1:])), None)
    why = row.reason if row else "it has no trial there"
    late = row is not None and row.kind == "not-reached"
    reason = f"in {run.id} its baseline was not measured: {why}"
    return NotCompared(*place, reason, not_reached=worked and late)


def _absent(before: RunRecord, run: RunRecord) -> Iterator[NotCompared]:
    baselines = set(map(baseline_label, _candidates(run.study.servers)))
    for row in unmeasured_cells(run):
        if row.entry not in baselines and not row.entry.endswith("(control)"):
            worked = any_ok(_of(before, row.place))
            reason = f"in {run.id} not measured: {row.reason}"
            yield not_measured(row.place, reason, row, worked=worked)


def as_baseline(run: RunRecord, before: RunRecord) -> RunRecord:
    """The servers of today alone: what the next gate compares with."""
    kept = _candidates(run.study.servers)
    then = {baseline_label(name).partition("@")[0] for name in kept}
    control = before.study.control
    study = {
        **run.study.as_stored(),
        "name": before.study.name,
        "title": before.study.title,
        "question": before.study.question,
        "servers": kept,
        "control": control if control in kept else "",
    }
    trials = [trial for trial in run.trials if trial.entry in kept]
    own_study = parse_manifest(study, StudyManifest, f"the study of run {run.id}")
    return run.model_copy(
        update={
            "study": StoredStudy.model_validate(study),
            "baseline": "",
            "trials": trials,
            "verdicts": judge(own_study, trials, conditions_of(run, own_study)),
            "servers": [one for one in run.servers if one.entry in kept],
            "absent": [row for row in run.absent if row.entry in kept],
            "skipped": [one for one in run.skipped if one.server.partition("@")[0] not in then],
            "plan": None,
        }
    )


def _candidates(servers: list[str]) -> list[str]:
    return [name for name in servers if baseline_label(name) in servers]
