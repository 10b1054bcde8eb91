"""One trial from start to stop: every step timed, every failure told, nothing left behind."""

from __future__ import annotations

import shutil
from collections.abc import Generator as Coroutine
from dataclasses import replace
from pathlib import Path

from webdyno._engine import Observer
from webdyno.catalog.load import Objective
from webdyno.errors import UserError
from webdyno.generators.base import Generator, GeneratorError, Job
from webdyno.runtime.deadline import Overdue, TookTooLong
from webdyno.runtime.disk import is_full
from webdyno.runtime.process import LaunchError
from webdyno.runtime.services import ServiceError, ServiceMissing
from webdyno.store.records import TrialRecord, now
from webdyno.trial import limits, measure, reasons
from webdyno.trial.again import make_load
from webdyno.trial.assemble import assemble
from webdyno.trial.assess import (
    bottleneck_of,
    failure_of,
    flags_of,
    limit_of,
    steadiness_flags,
    why_not_steady,
)
from webdyno.trial.course import Course, record_of, step
from webdyno.trial.crowd import verify_again
from webdyno.trial.ending import Ending
from webdyno.trial.fullness import Fullness
from webdyno.trial.lies import lie_of
from webdyno.trial.plan import Listener, TrialPlan
from webdyno.trial.prove import answer_of, audit, samples_of, verifier_of
from webdyno.trial.regime import Regime
from webdyno.trial.search import Searched, search
from webdyno.trial.services import environment_of, services_of, start_services
from webdyno.trial.slices import waited_in_turns
from webdyno.trial.start import StartError, start
from webdyno.trial.stop import stop
from webdyno.trial.warm_up import warm_up
from webdyno.trial.watch import NOT_RANKED, Watch
from webdyno.verdict.objective import Unshowable
from webdyno.verifier import Mismatch, Probe

Life = Coroutine[None, None, TrialRecord]
"""A trial that can be left and taken up again: see `life`."""


def run_trial(plan: TrialPlan, generator: Generator, listener: Listener) -> TrialRecord:
    """Run one trial and give its record; a server's failure is a result, not an exception.

    Raises `UserError` for content that is wrong, and lets an interrupt through after cleaning up.
    """
    trial = life(plan, generator, listener)
    while (record := next_turn(trial)) is None:
        pass
    return record


def next_turn(trial: Life) -> TrialRecord | None:
    """Let a trial go on to its next turn; its record where it has ended instead."""
    try:
        next(trial)
    except StopIteration as end:
        record: TrialRecord = end.value
        return record
    return None


def life(
    plan: TrialPlan, generator: Generator, listener: Listener, regime: Regime | None = None
) -> Life:
    """A trial that yields, frozen, before each slice of its load, and returns its record.

    `regime` is that of all trials it takes turns with; it learns of this one's warm-up before the
    first of them is loaded. One whose load has no slices never yields. Raises as `run_trial` does;
    closed early, it leaves nothing behind.
    """
    began = now()
    course = Course(regime=regime or Regime())
    plan = plan.settled()
    work = plan.temporary / f"trial-{plan.index}"
    work.mkdir(parents=True, exist_ok=True)
    try:
        yield from _live(plan, generator, listener, course, work)
    except ServiceMissing as error:
        # No later trial would fare better: the user has to install it first.
        raise UserError(f"scenario {plan.scenario.id}: {error}") from None
    except (StartError, LaunchError, GeneratorError, ServiceError, Unshowable) as error:
        course.status, course.reason = "error", str(error)
    except Mismatch as error:
        course.status, course.reason = "failed", reasons.of_mismatch(plan, course, error)
        course.lie = lie_of(plan, course, error)
    except (TookTooLong, Overdue) as error:
        course.status, course.reason = "error", reasons.of_deadline(plan, error)
    except UserError:
        raise
    except Exception as error:
        if is_full(error):  # No later trial would fare better, and none could be stored.
            raise
        course.status, course.reason = "error", reasons.of_fault(plan, error)
    finally:
        if gone := reasons.of_services(course):
            # Whatever else went wrong followed from this.
            course.status, course.reason, course.lie = "error", gone, ""
        try:
            stop(plan, course, listener, work)
        finally:
            if course.services:
                with step("services", course, listener):
                    for service in course.services:
                        service.stop()
            for folder in (work, services_of(work)):
                shutil.rmtree(folder, ignore_errors=True)
    return record_of(plan, course, began)


def _live(
    plan: TrialPlan, generator: Generator, listener: Listener, course: Course, work: Path
) -> Coroutine[None, None, None]:
    if plan.services:
        with step("services", course, listener, limits.SERVICES):
            start_services(plan, services_of(work), course.services)
    with step("prepare", course, listener, limits.PREPARE):
        verifier = verifier_of(plan.scenario, plan.parameters, work, plan.seed)
        course.verifier = verifier
        verifier.services = environment_of(course.services)
        preparation = verifier.prepare()
    with step("start", course, listener):
        server = start(plan, {**verifier.services, **preparation.env}, work)
        course.server = server
        at_start = measure.memory_at_start(server.process.pid, plan.placement.observer)
    with Probe(f"http://127.0.0.1:{server.port}") as probe:
        with step("verify", course, listener, limits.VERIFY):
            verifier.phase = "before"
            verifier.verify(probe)
        job = Job(
            scenario=plan.scenario.manifest.with_bodies(preparation.bodies),
            load=plan.load,
            port=server.port,
            cpus=plan.placement.generator,
            seed=plan.seed,
            variables=preparation.variables,
            lookups={name: dict(bodies) for name, bodies in preparation.lookups.items()},
            record=_record_of(plan),
        )
        roots = {"server": server.process.pid}
        roots.update({service.name: service.process.pid for service in course.services})
        observer = Observer(roots, cpu=plan.placement.observer)
        observer.start()
        watch = Watch(plan, server, course.services)
        listener = watch.listening(listener)
        searched: Searched | None = None
        try:
            observer.mark(measure.IDLE)
            if plan.load.method == "sound":
                with step("warm-up", course, listener):
                    alone = "server" not in plan.placement.shared
                    full = Fullness(server.process.pid, plan.placement.server, alone=alone)
                    warmed = warm_up(
                        generator,
                        job,
                        plan.warmup,
                        full.listening(listener),
                        plan.placement,
                        server.process,
                    )
                    course.warmup = warmed.model_copy(update={"full": full.is_full()})
            with step("settle", course, listener, limits.SETTLE):
                verifier.before_load(probe)
            watch.begin(observer)
            if plan.load.method == "sound" or plan.only_proof:
                job = replace(job, changes=verifier.change)
            with step("measure", course, listener), Ending(server.process.pid) as course.ending:
                if isinstance(plan.load, Objective):
                    assert course.warmup is not None
                    searched = search(
                        plan, plan.load, generator, job, observer, listener, course.warmup
                    )
                    result, counts = searched.best.result, searched.counts
                else:
                    measured = yield from make_load(
                        plan, generator, job, server.process, observer, listener, course
                    )
                    result, counts = measured.result, measured.counts
            watch.end()
        finally:
            observed = observer.stop()
        if searched is not None:
            course.search = searched.record
            course.measurement = assemble(plan, result, observed, searched.best.marks, at_start)
            course.bottleneck = limit_of(searched, plan, observed)
        else:
            course.measurement = assemble(
                plan, result, observed, measured.marks, at_start, measured.repeated
            )
            course.bottleneck = bottleneck_of(course.measurement, plan)
            course.flags += waited_in_turns(course.measurement, course.bottleneck.kind)
        course.flags += flags_of(course.measurement, plan.load)
        course.flags += watch.flags(course.measurement)
        if course.warmup is not None:
            course.not_steady = why_not_steady(
                course.warmup,
                # A search is many loads, most of them gentler than the warm-up's.
                None if searched is not None else course.measurement,
                None if searched is not None else measured.before,
                None if searched is not None else measured.compiled_s,
            )
            course.flags += steadiness_flags(course.warmup, course.not_steady)
        # Where users come anew all the while, one server's may be a first visit, another's not.
        if not plan.load.visits:
            course.answer = answer_of(plan.scenario, samples_of(result))
        with step("audit", course, listener, limits.AUDIT):
            verifier.followed = searched.followed if searched else measured.followed
            audit(plan, verifier, probe, result, dict(counts), course.measurement)
            verifier.phase = "after"
            verify_again(verifier, probe, job, course.measurement.throughput_rps)
    _settle(plan, course)


def _record_of(plan: TrialPlan) -> Path | None:
    """Where each request is written; not those of a search, whose steps are many loads."""
    if not plan.load.record or isinstance(plan.load, Objective):
        return None
    plan.jtl.parent.mkdir(exist_ok=True)
    return plan.jtl


def _settle(plan: TrialPlan, course: Course) -> None:
    """A server that died or did other work under load has failed, however fast it was."""
    if ended := reasons.ended(plan, course):
        course.status, course.reason = "failed", ended
        return
    assert course.measurement is not None
    if taken := [flag.message for flag in course.flags if flag.code in NOT_RANKED]:
        course.status, course.reason = "failed", taken[0]
        return
    if reason := failure_of(course.measurement, course.flags, plan.load):
        course.status, course.reason = "failed", reason
        course.lie = lie_of(plan, course)
