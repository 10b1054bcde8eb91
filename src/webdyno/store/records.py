"""What a run leaves behind, as typed records.

A `RunRecord` holds the `TrialRecord`s of a study and the verdicts drawn from them. A
`Measurement` is what one trial yielded. All of them can be imported from here.
"""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from typing import Literal

from pydantic import AliasChoices, Field

from webdyno.command_name import command_of
from webdyno.store.agenda import PlanRecord
from webdyno.store.cell import InCell
from webdyno.store.findings import CostRecord, DifferenceRecord, ServerRecord
from webdyno.store.hardware import StoredMachine, StoredMachines
from webdyno.store.measurement import (
    CpuUse,
    Latency,
    LatencyWithLost,
    Measurement,
    Memory,
    Observation,
    RequestRecord,
    SecondOfLoad,
    Warmup,
)
from webdyno.store.record import Record, Shown, is_nothing, known
from webdyno.store.stored_study import StoredStudy
from webdyno.store.trial import (
    BuildRecord,
    EvidenceRecord,
    FlagRecord,
    SetupRecord,
    TrialRecord,
    TrialStatus,
    entry_label,
)
from webdyno.store.unmeasured_cell import UnmeasuredCell, UnmeasuredKind
from webdyno.store.usl import UslRecord
from webdyno.store.verdicts import SentinelRecord, VerdictRecord

__all__ = [
    "BuildRecord",
    "BuildTimesRecord",
    "CpuUse",
    "EvidenceRecord",
    "FittedLoadRecord",
    "FlagRecord",
    "GrownRecord",
    "Latency",
    "LatencyWithLost",
    "Measurement",
    "Memory",
    "Observation",
    "RequestRecord",
    "RunRecord",
    "RunStatus",
    "SecondOfLoad",
    "SetupRecord",
    "Skipped",
    "TrialRecord",
    "TrialStatus",
    "Warmup",
    "entry_label",
    "now",
]

RunStatus = Literal["running", "finished", "interrupted", "failed"]


def now() -> datetime:
    """The current time in UTC, as every record stores it."""
    return datetime.now(UTC)


class BuildTimesRecord(Record):
    """What building a server takes, in seconds.

    `cold_s`: once, with nothing downloaded; None where its tool keeps its downloads in one place
    only. `clean_s`: dependencies downloaded, nothing compiled. `incremental_s`: after one line of
    `changed_file` was changed; empty where that needs no build. `note` says what is missing.
    """

    server: str
    cold_s: float | None = None
    clean_s: list[float] = Field(default_factory=list)
    incremental_s: list[float] = Field(default_factory=list)
    changed_file: str = ""
    artefact_bytes: int | None = None
    note: str = ""


class FittedLoadRecord(InCell, Record):
    """How an open load was fitted to this machine and to the budget, the same for all servers.

    `carried_rps` is what each entry answered in a short closed load; `slowest` decided the factor,
    and is empty where the rates stayed as `asked`. `given` are the phases that were made.
    """

    scenario: str
    load: str
    rate_factor: float
    time_factor: float
    slowest: str = ""
    carried_rps: dict[str, float] = Field(default_factory=dict)
    asked: list[str] = Field(default_factory=list)
    given: list[str] = Field(default_factory=list)


class GrownRecord(InCell, Record):
    """A cell whose generator was the limit, here or in an earlier piece of the board, and was given
    more cores, for all of its servers."""

    scenario: str
    load: str
    generator_cores: int
    placement: str
    measured_anew: int = 0
    """Trials with a smaller generator that were measured anew."""


class Skipped(Record):
    """A server the run left out before any trial, and why."""

    server: str
    reason: str
    kind: UnmeasuredKind | None = None
    """None in records of older runs."""


class RunRecord(Record):
    """One run of a study."""

    id: str
    study: StoredStudy
    command: str
    """As it was typed, without what may be secret in it."""
    started: datetime
    finished: datetime | None = None
    status: RunStatus = "running"
    machine: StoredMachine = StoredMachine()
    """The machine under test."""
    versions: dict[str, str] = Field(default_factory=dict)
    machines: StoredMachines = StoredMachines()
    """What machine did what, where several took part."""
    placement: str = ""
    limits: str = ""
    """What each server may use, how much of it this machine has, and what holds it."""
    skipped: list[Skipped] = Field(default_factory=list)
    absent: list[UnmeasuredCell] = Field(default_factory=list)
    """What the study asks for; while the run goes on, with what has been measured meanwhile:
    `run.record.unmeasured_cells` tells what has not."""
    grown: list[GrownRecord] = Field(default_factory=list)
    """Cells whose generator was given more cores."""
    fitted_loads: list[FittedLoadRecord] | None = Field(
        default=None,
        validation_alias=AliasChoices("scalings", "fitted_loads"),
        serialization_alias="scalings",
    )
    """How open loads were fitted; None until that is settled."""
    build_times: list[BuildTimesRecord] = Field(default_factory=list)
    """Only where the study asks for them."""
    trials: list[TrialRecord] = Field(default_factory=list)
    verdicts: list[VerdictRecord] = Field(default_factory=list)
    sentinels: list[SentinelRecord] = Field(default_factory=list)
    plan: PlanRecord | None = None
    """What it set out to answer within its budget; None in runs made before there were plans."""
    planned_blocks: int | None = None
    """Blocks that the error rate was shared out over, settled before the first trial."""
    step_seconds: dict[str, float] = Field(default_factory=dict)
    """Wall time of what belongs to no trial: `noise`, `build`, `judge`."""
    paused_s: float = Field(default=0.0, exclude_if=is_nothing)
    """How long it was not under way between its beginning and its end, because it was killed or
    interrupted; 0 also in records that do not tell."""
    taken_up: datetime | None = Field(default=None, exclude_if=is_nothing)
    """When it last went on after a pause; None where it never did, and in records that do not
    tell."""
    servers: list[ServerRecord] = Field(default_factory=list)
    review: dict[str, list[str]] = Field(default_factory=dict)
    """What a contract asks and no proof shows: for review of the source, by scenario."""
    scalability: list[UslRecord] = Field(default_factory=list)
    costs: list[CostRecord] = Field(default_factory=list)
    differences: list[DifferenceRecord] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    baseline: str = ""
    """The run whose servers stood beside today's, as `NAME-baseline`; empty where none did."""
    board: str | None = None
    """The scenario of the board that it is a piece of; empty where it is none, None in records of
    older runs, of which the study's name tells it."""
    folder: str = ""

    @property
    def made_by(self) -> str:
        """Which command made it, such as `run`, `gate` or `ab`; empty where a program did, by the
        functions of `api`. What its study is called says nothing of that."""
        try:
            words = shlex.split(self.command)
        except ValueError:  # As a record of long ago may hold it, which quoted nothing.
            words = self.command.split()
        return command_of(words[1:])

    @property
    def took_s(self) -> float | None:
        """How long it was under way; None before its end."""
        if self.finished is None:
            return None
        return max(0.0, (self.finished - self.started).total_seconds() - self.paused_s)

    def __repr_args__(self) -> Shown:
        return known(
            id=self.id,
            study=self.study.name,
            status=self.status,
            blocks=len({trial.block for trial in self.trials}),
            trials=len(self.trials),
            verdicts=len(self.verdicts),
        )
