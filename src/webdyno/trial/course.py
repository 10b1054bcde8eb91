"""What a trial carries from step to step, and the record that becomes of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime

from webdyno.catalog.load import Iterations
from webdyno.printable import printable
from webdyno.runtime.deadline import deadline
from webdyno.runtime.services import RunningService
from webdyno.runtime.source_lines import source_lines
from webdyno.store.findings import AnswerRecord, AskedRecord
from webdyno.store.records import (
    BuildRecord,
    FlagRecord,
    Measurement,
    SetupRecord,
    TrialRecord,
    TrialStatus,
    Warmup,
    now,
)
from webdyno.store.search import SearchRecord
from webdyno.trial.ending import Ending
from webdyno.trial.plan import Listener, TrialPlan
from webdyno.trial.prove import evidence_of
from webdyno.trial.regime import Regime
from webdyno.trial.services import services_record
from webdyno.trial.start import RunningServer
from webdyno.verdict.bottleneck import Bottleneck
from webdyno.verifier import Verifier


@dataclass
class Course:
    """What is known of a trial so far, whichever step it fails in."""

    status: TrialStatus = "ok"
    reason: str = ""
    lie: str = ""
    verifier: Verifier | None = None
    services: list[RunningService] = field(default_factory=list)
    server: RunningServer | None = None
    ending: Ending | None = None
    """Where the load was measured: when the server ended meanwhile, if it did."""
    stop_seconds: float | None = None
    warmup: Warmup | None = None
    measurement: Measurement | None = None
    search: SearchRecord | None = None
    bottleneck: Bottleneck | None = None
    answer: AnswerRecord | None = None
    regime: Regime = field(default_factory=Regime)
    flags: list[FlagRecord] = field(default_factory=list)
    not_steady: str = ""
    steps: dict[str, float] = field(default_factory=dict)
    away_s: float = 0.0
    """How long other trials had their turn."""

    def own_s(self) -> float:
        """A clock in seconds that stands still while others have their turn."""
        return time.monotonic() - self.away_s

    @contextmanager
    def others_turn(self) -> Iterator[None]:
        """Leaves the time of what is done within to other trials."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.away_s += time.monotonic() - began


def record_of(plan: TrialPlan, course: Course, began: datetime) -> TrialRecord:
    """The trial as it is stored."""
    server, build = course.server, plan.build
    services = services_record(course.services)
    return TrialRecord(
        run_id=plan.run_id,
        index=plan.index,
        server=plan.contender.server.id,
        variant=plan.contender.variant,
        control=plan.control,
        scenario=plan.title or plan.scenario.id,
        load=plan.load.label(),
        block=plan.block,
        order=plan.order,
        status=course.status,
        reason=printable(course.reason),
        lie=printable(course.lie),
        started=began,
        finished=now(),
        away_seconds=round(course.away_s, 4),
        measurement=course.measurement,
        warmup=course.warmup,
        search=course.search,
        build=BuildRecord(
            seconds=build.seconds,
            cached=build.cached,
            artefact_bytes=build.artefact_bytes,
            digest=build.digest,
            source_lines=source_lines(plan.contender.server, plan.scenario.id),
            log=str(build.log),
        ),
        start_seconds=server.start_seconds if server else None,
        stop_seconds=course.stop_seconds,
        step_seconds=course.steps,
        bottleneck=course.bottleneck.kind if course.bottleneck else "",
        bottleneck_reason=course.bottleneck.reason if course.bottleneck else "",
        one_thread=course.bottleneck.one_thread if course.bottleneck else False,
        flags=[
            flag.model_copy(update={"message": printable(flag.message)}) for flag in course.flags
        ],
        not_steady=course.not_steady,
        evidence=list(evidence_of(course.verifier)) if course.verifier else [],
        counted=dict(course.verifier.counted) if course.verifier else {},
        held=dict(course.verifier.held) if course.verifier else {},
        answer=course.answer,
        asked=_asked(plan, course),
        versions={**plan.versions, **{one.program: one.version for one in services}},
        services=services,
        sources=plan.sources,
        placement=plan.placement.describe(),
        setup=setup_of(plan, course),
        log=str(plan.log.relative_to(plan.run_folder)),
        log_tail=server.process.log_tail() if server else "",
    )


def _asked(plan: TrialPlan, course: Course) -> list[AskedRecord]:
    if course.verifier is None or plan.block:
        return []
    return [
        AskedRecord.of(one.question, one.status, one.headers, one.body)
        for one in course.verifier.asked
    ]


def setup_of(plan: TrialPlan, course: Course) -> SetupRecord:
    """How the trial was really made."""
    where, load, measured = plan.placement, plan.load, course.measurement
    made = measured.generator if measured else {}
    return SetupRecord(
        server_cpus=sorted(where.server),
        generator_cpus=sorted(where.generator),
        service_cpus=sorted(where.services) if plan.services else [],
        observer_cpu=where.observer,
        generator_threads=made.get("threads"),
        connections=load.users if isinstance(load, Iterations) else load.connections,
        turns=made.get("slices") or 1,
        turn_s=made.get("slice_s"),
        turns_note=course.regime.note if load.in_turns else "",
    )


@contextmanager
def step(
    name: str, course: Course, listener: Listener, within: tuple[float, str] | None = None
) -> Iterator[None]:
    """Tell of a step of the trial, and add up what it takes.

    `within` gives it so many seconds, and names it where it takes longer. Raises `TookTooLong`.
    """
    listener("step", name=name)
    started = course.own_s()
    try:
        with deadline(*within) if within else nullcontext():
            yield
    finally:
        before = course.steps.get(name, 0.0)
        course.steps[name] = round(before + course.own_s() - started, 4)
