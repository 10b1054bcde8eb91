"""A run of the small study with a plan, and trials of it that took as long as is wanted."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import cast

from support.small_study import a_study, a_trial, matchups
from webdyno.catalog import StudyManifest
from webdyno.run.blocks.context import RunContext
from webdyno.run.blocks.generator_cores import CellPlacements
from webdyno.run.budget.agenda import agenda, planned_matchups
from webdyno.run.budget.budget import Budget
from webdyno.run.budget.estimates import (
    Estimate,
    estimates,
)
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.machine.share import Share
from webdyno.store.agenda import PlanRecord
from webdyno.store.records import RunRecord, TrialRecord, now
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy
from webdyno.trial.events import silent

TWO_LOADS = [
    {"kind": "closed", "connections": 8, "duration": "5s"},
    {"kind": "closed", "connections": 64, "duration": "5s"},
    {
        "kind": "closed", "name": "published", "method": "as-published", "generator": "wrk",
        "connections": 10, "duration": "30s",
    },
]  # fmt: skip


def study_of(budget: str, **changes: object) -> StudyManifest:
    """The small study under these loads, with `changes`."""
    return a_study(
        **{"budget": budget, "loads": TWO_LOADS, "method": "both", "sentinel": False, **changes}
    )


def planned(study: StudyManifest, beside_s: float = 3.0, *, everybody: bool = False) -> PlanRecord:
    """The plan where each trial takes `beside_s` beside its load."""
    all_ = matchups(study)
    expected = {
        at: Estimate(beside_s, found.load_s) for at, found in estimates(study, all_, []).items()
    }
    return agenda(study, all_, expected, everybody=everybody)


LEVELS = {"node/http": 1000.0, "go/gin": 2000.0, "go/chi": 4000.0}


def timed(entry: str, scenario: str, load: str, block: int, seconds: float) -> TrialRecord:
    """A trial of that length."""
    server, _, twin = entry.partition(" (")
    began = now()
    return a_trial(
        server,
        block,
        # Unlike by a little, the same for every call.
        LEVELS.get(server, 1.0) * (1 + 0.004 * ((block * 7 + len(entry)) % 3)),
        control=bool(twin),
        scenario=scenario,
        load=load,
        started=began,
        finished=began + timedelta(seconds=seconds),
    )


def a_context(study: StudyManifest, tmp_path: Path, run: RunRecord | None = None) -> RunContext:
    """A run of `study` that has its plan and nothing else."""
    plan = planned(study)
    run = run or RunRecord(
        id="r", study=StoredStudy.of(study), command="", started=now(), plan=plan
    )
    return RunContext(
        run=run,
        study=study,
        matchups=planned_matchups(matchups(study), plan),
        ready={},
        placement=cast(Placement, None),
        share=Share(),
        store=Store.open(tmp_path / "store.db"),
        budget=Budget(study.budget),
        listener=silent,
        temporary=tmp_path,
        sources={},
        placements=cast(CellPlacements, None),
    )


def as_expected(_scenario: str, load: str) -> float:
    """Seconds of a trial, as `planned` has it."""
    return 33.0 if load == "published" else 8.0
