"""The record that becomes of a trial."""

from __future__ import annotations

from webdyno.catalog.loads.load import Iterations
from webdyno.printable import printable
from webdyno.runtime.builds.source_lines import source_lines
from webdyno.runtime.processes.open_files import MOST_FILES
from webdyno.runtime.processes.process import tail
from webdyno.store.findings import QuestionAnswerRecord
from webdyno.store.measurement import GeneratorFigures
from webdyno.store.records import BuildRecord, SetupRecord, TrialRecord, now
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.prove import evidence_of
from webdyno.trial.services import services_record
from webdyno.trial.state import TrialState


def record_of(plan: TrialPlan, state: TrialState) -> TrialRecord:
    """The trial as it is stored."""
    server, build = state.server, plan.build
    services = services_record(state.services)
    return TrialRecord(
        run_id=plan.run_id,
        index=plan.index,
        server=plan.server_variant.server.id,
        variant=plan.server_variant.variant,
        control=plan.control,
        scenario=plan.title or plan.scenario.id,
        load=plan.load.label(),
        block=plan.block,
        order=plan.order,
        status=state.status,
        reason=printable(state.reason),
        lie=printable(state.lie),
        shared_start=plan.log_of is not None,
        started=state.began,
        finished=state.ended or now(),
        away_seconds=round(state.away_s, 4),
        measurement=state.measurement,
        warmup=state.warmup,
        search=state.search,
        build=BuildRecord(
            seconds=build.seconds,
            cached=build.cached,
            artefact_bytes=build.artefact_bytes,
            digest=build.digest,
            source_lines=source_lines(plan.server_variant.server, plan.scenario.id),
            log=str(build.log),
        ),
        start_seconds=server.start_seconds if server else None,
        stop_seconds=state.stop_seconds,
        step_seconds=state.steps,
        bottleneck=state.limit.kind if state.limit else "",
        bottleneck_reason=state.limit.reason if state.limit else "",
        one_thread=state.limit.one_thread if state.limit else False,
        flags=[
            flag.model_copy(update={"message": printable(flag.message)}) for flag in state.flags
        ],
        not_steady=state.not_steady,
        evidence=list(evidence_of(state.verifier)) if state.verifier else [],
        counted=dict(state.verifier.counted) if state.verifier else {},
        held=dict(state.verifier.held) if state.verifier else {},
        answer=state.answer,
        asked=_question_answers(plan, state),
        versions={**plan.versions, **{one.program: one.version for one in services}},
        services=services,
        sources=plan.sources,
        placement=plan.placement.describe(),
        setup=setup_of(plan, state),
        log=str(plan.log.relative_to(plan.run_folder)),
        log_tail=server.process.log_tail() if server else printable(tail(plan.log)),
    )


def _question_answers(plan: TrialPlan, state: TrialState) -> list[QuestionAnswerRecord]:
    if state.verifier is None or plan.block:
        return []
    return [
        # A proof's record is compared at once; those of a run would hold all bodies until its end.
        QuestionAnswerRecord.of(
            one.question, one.status, one.headers, one.body, whole=plan.only_proof
        )
        for one in state.verifier.question_answers
    ]


def setup_of(plan: TrialPlan, state: TrialState) -> SetupRecord:
    """How the trial was really made."""
    where, load, measured = plan.placement, plan.load, state.measurement
    made = measured.generator if measured else GeneratorFigures()
    return SetupRecord(
        server_cpus=sorted(where.server),
        generator_cpus=[] if where.elsewhere else sorted(where.generator),
        service_cpus=sorted(where.services) if plan.services else [],
        observer_cpu=where.observer,
        generator_threads=made.threads,
        connections=load.users if isinstance(load, Iterations) else load.connections,
        open_files=MOST_FILES,
        turns=made.slices,
        turn_s=made.slice_s,
        turns_note=state.regime.note if load.in_turns else "",
        load_machines=[agent.address for agent in made.machines.agents] if made.machines else [],
        service_machine=where.elsewhere.service if where.elsewhere and plan.services else "",
    )
