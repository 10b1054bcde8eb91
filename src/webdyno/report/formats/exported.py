"""What the JSON of a run holds: its records, and what is worked out from them.

The schema is made from these classes: see `run_schema`.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from webdyno.report.formats.exported_trial import ExportedTrial
from webdyno.report.services import services_of
from webdyno.report.tables.time_spent import time_spent
from webdyno.report.text import planned
from webdyno.run.record.unmeasured_cells import unmeasured_cells
from webdyno.store.agenda import PlanRecord
from webdyno.store.document import Moment
from webdyno.store.findings import CostRecord, DifferenceRecord, ServerRecord, ServiceRecord
from webdyno.store.record import Amount, Record, is_nothing
from webdyno.store.records import (
    BuildTimesRecord,
    FittedLoadRecord,
    GrownRecord,
    RunRecord,
    RunStatus,
    Skipped,
)
from webdyno.store.unmeasured_cell import UnmeasuredCell
from webdyno.store.usl import UslRecord
from webdyno.store.verdicts import SentinelRecord, VerdictRecord

FORMAT: Final = 1
"""Counts up when a key changes its meaning or goes; new keys do not count."""


_OF_EVERY_RUN = ["study", "started", "finished", "machine", "trials", "verdicts"]
_OF_EVERY_PLAN = [
    "question", "scenario", "load", "metric", "budget_s", "all_s", "everything", "cells", "entries",
]  # fmt: skip
"""Keys that every export of this format has, those of the first versions as well."""


class ExportedPlan(PlanRecord, json_schema_extra={"required": _OF_EVERY_PLAN}):
    """What the run set out to answer within its budget, settled before its first block."""

    all_of_it: bool = Field(serialization_alias="everything")
    """Whether the budget was expected to carry all of it."""
    words: list[str]
    """The plan in sentences."""

    @classmethod
    def of(cls, run: RunRecord) -> ExportedPlan | None:
        """Of a run; null in runs made before there were plans."""
        if run.plan is None:
            return None
        words = planned.sentences(run.plan, run.study)
        return cls.model_construct(**dict(run.plan), all_of_it=run.plan.everything, words=words)


class ExportedRun(Record, title="A Webdyno run", json_schema_extra={"required": _OF_EVERY_RUN}):
    """What `webdyno run --json` writes. Keys may be added; `format` is increased when a key
    changes its meaning or is removed. Latencies run from the intended send time. In `ratios`, 1.25
    means that `of` is 25% better than `to` on the metric, whichever way is up."""

    format: Literal[1] = FORMAT
    """Version of this format."""
    id: str
    """Name of the run."""
    study: str
    """Name of the study."""
    study_manifest: dict[str, Any]
    """The whole study, as its file has it."""
    question: str
    """The question it asks."""
    command: str
    """The command that repeats it, without what may be secret in it."""
    status: RunStatus
    started: Moment
    finished: Moment | None
    machine: dict[str, Any]
    """Processor, cores, memory, kernel, system, fingerprint, noise."""
    machines: dict[str, Any]
    """What machine did what, by address, and the facts of each; empty where one did it all."""
    placement: str
    limits: str
    """What each server may use, how much of it the machine has, and what holds it; empty where the
    study sets none."""
    grown: list[GrownRecord]
    """Scenarios under loads whose generator was the limit, and got more cores for all servers
    alike."""
    versions: dict[str, str]
    services: list[ServiceRecord]
    """What ran beside the servers: the program, its version, settings that differ from its defaults
    or are worth knowing."""
    trials: list[ExportedTrial]
    verdicts: list[VerdictRecord]
    sentinels: list[SentinelRecord]
    """A fixed small server under a fixed load, once a block: the machine itself."""
    plan: ExportedPlan | None
    planned_blocks: int | None
    """Blocks that the error rate was shared out over, settled before the first trial."""
    step_seconds: dict[str, Amount]
    """Wall time of steps that belong to no trial."""
    paused_s: Amount = Field(default=0.0, exclude_if=is_nothing)
    """How long a run that was resumed was not under way; left out where that is nothing."""
    fitted_loads: list[FittedLoadRecord] = Field(serialization_alias="scalings")
    """How open loads were fitted to the machine and the budget, alike for all servers: asked and
    given phases, the factors, and what each entry carried in a short closed load."""
    build_times: list[BuildTimesRecord]
    """Only where the study asks for them. Seconds: cold (nothing downloaded, once), clean
    (dependencies downloaded, nothing compiled), incremental (one line of changed_file changed)."""
    costs: list[CostRecord]
    """What one more of something costs, in nanoseconds of the server's CPU time for a request."""
    scalability: list[UslRecord]
    """The universal scalability law, X(n) = λ n / (1 + σ(n - 1) + κ n(n - 1)), fitted over
    connections or cores."""
    differences: list[DifferenceRecord]
    """What servers answer differently to the same request: not the same work."""
    servers: list[ServerRecord]
    """What the manifests of the servers state."""
    review: dict[str, list[str]]
    """For review of the source, by scenario: what its contract asks and no proof of a trial
    shows."""
    time_spent_s: dict[str, Amount]
    """Where the wall time of the run went, by step."""
    skipped: list[Skipped]
    absent: list[UnmeasuredCell]
    """Servers x scenarios x loads that the study asks for and that have no trial."""
    notes: list[str]
    baseline: str
    """The run whose servers stood beside today's, as NAME-baseline; else empty."""

    @classmethod
    def of(cls, run: RunRecord) -> ExportedRun:
        """Of the record of a run."""
        same = cls.model_fields.keys() & RunRecord.model_fields.keys()
        held = {name: getattr(run, name) for name in same} | {
            "study": run.study.name,
            "study_manifest": run.study.as_stored(),
            "machine": run.machine.as_stored(),
            "machines": run.machines.as_stored(),
            "question": run.study.question,
            "services": services_of(run),
            "trials": [ExportedTrial.of(trial) for trial in run.trials],
            "plan": ExportedPlan.of(run),
            "fitted_loads": run.fitted_loads or [],
            "time_spent_s": {part.step: round(part.seconds, 3) for part in time_spent(run)},
            "absent": unmeasured_cells(run),
        }
        return cls.model_construct(**held)
