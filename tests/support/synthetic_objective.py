"""A synthetic run of a study that asks for the rate at an objective."""

from __future__ import annotations

from typing import Any

import numpy as np

from support.study_with import study_with
from support.synthetic_run import SERVERS, build_run
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.judgement.judge import judge
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.search import SearchRecord, SearchStep
from webdyno.store.stored_study import StoredStudy
from webdyno.verdict.search.objective import Search, SearchFinding
from webdyno.verdict.search.objective_step import Goal, StepJudgement

OBJECTIVE = "p99 < 100ms"
NEVER = "node/express"
"""This server meets the objective at no rate."""


def build_objective_run(blocks: int = 3) -> RunRecord:
    """Three servers and a control under a search each; one never meets the objective."""
    servers = tuple(s for s in SERVERS if s.name in ("go/net-http", "node/http", NEVER))
    servers = tuple(s for s in servers if s.variant == "default")
    run = build_run(blocks=blocks, seconds=4, servers=servers, scenarios=("json",))
    load = {"kind": "objective", "objective": OBJECTIVE}
    fields = study_with(run.study, {"loads": [load], "name": "at-objective", "published": []})
    study = StudyManifest.model_validate(fields.as_stored())
    random = np.random.default_rng(11)
    trials = [_searching(trial, random) for trial in run.trials]
    changes: dict[str, Any] = {
        "study": StoredStudy.of(study),
        "trials": trials,
        "verdicts": judge(study, trials),
    }
    return run.model_copy(update=changes)


def _searching(trial: TrialRecord, random: np.random.Generator) -> TrialRecord:
    assert trial.measurement is not None
    throughput = trial.measurement.throughput_rps
    border = 0.0 if trial.server == NEVER else throughput * 0.95
    search, goal = Search(Goal(0.99, 0.1), throughput), Goal(0.99, 0.1)
    steps = []
    while (step := search.next()) is not None:
        held = step.rate_rps < border * float(random.lognormal(0, 0.01))
        judged = StepJudgement(
            "held" if held else "failed", "0.00% late" if held else "7% were late"
        )
        search.learn(step, judged)
        near = step.rate_rps / (border or step.rate_rps / 2)
        steps.append(
            SearchStep(
                rate_rps=step.rate_rps,
                seconds=step.seconds,
                purpose=step.purpose,
                outcome=judged.outcome,
                reason=judged.reason,
                throughput_rps=min(step.rate_rps, border),
                late_share=0.0 if held else 0.07,
                errors_share=0.0,
                p50_us=800 * near**6,
                p99_us=9_000 * near**12,
                quantile_us=9_000 * near**12,
                server_share=min(1.0, near),
                generator_share=0.2,
            )
        )
    record = _record(goal, throughput, search.finding(), steps)
    changes: dict[str, Any] = {"search": record, "load": OBJECTIVE, "status": "ok", "reason": ""}
    return trial.model_copy(update=changes)


def _record(
    goal: Goal, probe: float, finding: SearchFinding, steps: list[SearchStep]
) -> SearchRecord:
    return SearchRecord(
        objective=OBJECTIVE,
        quantile=goal.quantile,
        limit_s=goal.limit_s,
        errors_share=goal.errors,
        tolerance=goal.tolerance,
        probe_rps=probe,
        kind=finding.kind,
        capacity_rps=finding.capacity_rps,
        low_rps=finding.low_rps,
        high_rps=finding.high_rps,
        held_rps=finding.held_rps,
        failed_rps=finding.failed_rps,
        reason=finding.reason,
        steps=steps,
    )
