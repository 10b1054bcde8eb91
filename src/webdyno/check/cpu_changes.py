"""A server beside what it was: both are up at once, in turns, with the older one as the control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from webdyno.ab.baselines.baseline import baseline_label, under_own_name
from webdyno.ab.baselines.paired import compare_pairs
from webdyno.ab.baselines.paired_study import PairsCatalog
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import TURN_S
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.check.former import AffectedVariant
from webdyno.run.comparison.compare import ComparedRow
from webdyno.run.comparison.outcome import ComparisonOutcome
from webdyno.run.preparation.servers import prepare
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment, RunSettings
from webdyno.run.study.plan import Entry
from webdyno.store.document import described
from webdyno.store.records import RunRecord

METRIC = "cpu_us_per_request"
LOAD = {"kind": "closed", "connections": 32, "duration": 1.5}


@described
@dataclass(frozen=True)
class CpuChange:
    """CPU time per request of a server and of what it was. A figure is None where it is not
    known."""

    outcome: ComparisonOutcome
    """worse: it grew by more than the margin, for certain; no worse: certainly not."""
    before: float | None = None
    """Median of what it was, in microseconds."""
    now: float | None = None
    """Median of today's, in microseconds."""
    change: float | None = None
    """By which part it grew: 0.046 is 4.6%."""
    low: float | None = None
    """Lower end of the change's interval."""
    high: float | None = None
    """Upper end of the change's interval."""
    reason: str = ""
    """Why nothing is settled, where it is not only for want of trials."""


def measure_cpu_changes(
    variant: AffectedVariant,
    scenarios: Sequence[str],
    environment: RunEnvironment,
    *,
    budget_s: float,
    confidence: float,
    margin: float,
) -> tuple[RunRecord | None, dict[str, CpuChange]]:
    """A run of both under `scenarios`, and what it says of each; all its intervals together hold
    with `confidence`. No run where the older one cannot be built here. Raises `UserError`."""
    assert variant.then is not None
    then = under_own_name(variant.then, variant.today.server)
    known = PairsCatalog(roots=environment.catalog.roots, baselines={then.id: then})
    before, now = baseline_label(variant.today.label), variant.today.label
    _, left_out = prepare(
        [Entry(known.server_variant(before))], environment.home.builds, environment.listener
    )
    if left_out:
        reason = f"its former version cannot be built here: {left_out[0].reason}"
        return None, {name: CpuChange("not settled", reason=reason) for name in scenarios}
    study = _study(known, before, now, scenarios, budget_s, confidence, margin)
    # Without its control a comparison settles nothing, however many blocks it has.
    run = run_study(study, replace(environment, catalog=known), RunSettings(everybody=True))
    return run, cpu_changes(run, now, scenarios)


def cpu_changes(run: RunRecord, label: str, scenarios: Sequence[str]) -> dict[str, CpuChange]:
    """What `run`, which holds both, says of `label` under each of `scenarios`."""
    # What was measured earlier has no say here: there is no earlier run.
    found = compare_pairs(run.model_copy(update={"trials": [], "absent": []}), run)
    rows = {row.scenario: row for row in found.rows if row.entry == label}
    reasons = {one.scenario: one.reason for one in found.refused if one.entry == label}
    return {
        name: _change(rows[name], _not_ranked(run, name, label))
        if name in rows
        else CpuChange("not settled", reason=reasons.get(name, "no time was left for it"))
        for name in scenarios
    }


def _not_ranked(run: RunRecord, scenario: str, label: str) -> str:
    """Why one of the two has no place, in the run's own words; empty where both have. That it is
    not settled goes without saying."""
    entries = {label: "", baseline_label(label): "its former version: "}
    return next(
        (
            f"{entries[left.entry]}{left.reason.removeprefix('not settled: ')}"
            for verdict in run.verdicts
            for left in verdict.not_ranked
            if verdict.scenario == scenario and left.entry in entries
        ),
        "",
    )


def _change(row: ComparedRow, not_ranked: str) -> CpuChange:
    before, now = (value if value == value else None for value in (row.old, row.new))
    if row.change is None:
        return CpuChange("not settled", before, now, reason=not_ranked or "too few trials")
    # It is turned so that above 1 is better: less CPU time.
    better, low, high = row.change.estimate, row.change.low, row.change.high
    outcome: ComparisonOutcome = "not settled"
    if row.regression:
        outcome = "worse"
    elif low >= 1 / (1 + row.change.margin) and not row.unsure:
        outcome = "no worse"
    most = 1 / low - 1 if low > 0 else None
    return CpuChange(outcome, before, now, 1 / better - 1, 1 / high - 1, most, row.unsure)


def _study(
    catalog: Catalog,
    before: str,
    label: str,
    scenarios: Sequence[str],
    budget_s: float,
    confidence: float,
    margin: float,
) -> StudyManifest:
    turns: dict[str, Any] = {**LOAD, "name": "turns", "slice": TURN_S}
    alone: dict[str, Any] = {**LOAD, "name": "one-by-one"}
    # Servers cannot take turns at a service.
    load_of = {
        name: alone if catalog.scenario(name).manifest.services else turns for name in scenarios
    }
    return parse_manifest(
        {
            "name": f"check-{label.replace('/', '-').replace('@', '-')}"[:100],
            "title": f"{label} beside its former version",
            "question": f"Does {label} take more CPU time per request than its former version?",
            "servers": [before, label],
            "control": before,
            "scenarios": [{"name": name, "loads": [load_of[name]["name"]]} for name in scenarios],
            "loads": [one for one in (turns, alone) if one in load_of.values()],
            "metrics": [METRIC],
            "budget": budget_s,
            "blocks": {"looks": "late"},
            "confidence": confidence,
            "margin": margin,
            "sentinel": False,
        },
        StudyManifest,
        f"the check of {label}",
    )
