"""One trial from start to stop: every step timed, every failure told, nothing left behind."""

from __future__ import annotations

import shutil
from collections.abc import Generator as Coroutine
from pathlib import Path

from webdyno._engine import Observer
from webdyno.catalog.load import Closed, Objective
from webdyno.errors import UserError
from webdyno.generators.base import Generator, GeneratorError, Job
from webdyno.runtime.cpu_time import TreeClock
from webdyno.runtime.process import LaunchError
from webdyno.runtime.services import ServiceError, ServiceMissing
from webdyno.runtime.supervision import end_all
from webdyno.store.records import (
    FlagRecord,
    TrialRecord,
    now,
)
from webdyno.trial import measure
from webdyno.trial.assess import bottleneck_of, failure_of, flags_of, limit_of, never_steady
from webdyno.trial.course import Course, record_of, step
from webdyno.trial.plan import Listener, TrialPlan
from webdyno.trial.prove import answer_of, samples_of, verifier_of
from webdyno.trial.search import Searched, search
from webdyno.trial.services import environment_of, start_services
from webdyno.trial.slices import load_in_slices, slice_of, waited_in_turns
from webdyno.trial.start import (
    RunningServer,
    StartError,
    over_memory,
    port_is_free_again,
    start,
)
from webdyno.trial.warm_up import warm_up
from webdyno.verdict.objective import Unshowable
from webdyno.verifier import Evidence, Mismatch, Probe, Verifier

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


def life(plan: TrialPlan, generator: Generator, listener: Listener) -> Life:
    """A trial that yields, frozen, before each slice of its load, and returns its record.

    One whose load has no slices never yields. Raises as `run_trial` does; closed early, it leaves
    nothing behind.
    """
    began = now()
    course = Course()
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
        course.status, course.reason = "failed", _reason(plan, course, error)
    finally:
        try:
            _stop(plan, course, listener)
        finally:
            if course.services:
                with step("services", course, listener):
                    for service in course.services:
                        service.stop()
            shutil.rmtree(work, ignore_errors=True)
    return record_of(plan, course, began)


def _live(
    plan: TrialPlan, generator: Generator, listener: Listener, course: Course, work: Path
) -> Coroutine[None, None, None]:
    if plan.services:
        with step("services", course, listener):
            start_services(plan, work, course.services)
    with step("prepare", course, listener):
        verifier = verifier_of(plan.scenario, plan.parameters, work, plan.seed)
        course.verifier = verifier
        verifier.services = environment_of(course.services)
        preparation = verifier.prepare()
    with step("start", course, listener):
        server = start(plan, {**verifier.services, **preparation.env}, cwd=plan.build.folder)
        course.server = server
        at_start = measure.memory_at_start(server.process.pid, plan.placement.generator[0])
    with Probe(f"http://127.0.0.1:{server.port}") as probe:
        with step("verify", course, listener):
            verifier.phase = "before"
            verifier.verify(probe)
        job = Job(
            scenario=plan.scenario.manifest,
            load=plan.load,
            port=server.port,
            cpus=plan.placement.generator,
            seed=plan.seed,
            variables=preparation.variables,
            lookups=preparation.lookups,
            record=_record_of(plan),
        )
        roots = {"server": server.process.pid}
        roots.update({service.name: service.process.pid for service in course.services})
        observer = Observer(roots, cpu=plan.placement.generator[0])
        observer.start()
        searched: Searched | None = None
        try:
            observer.mark(measure.IDLE)
            if plan.load.method == "sound":
                with step("warm-up", course, listener):
                    clock = TreeClock(server.process.pid)
                    course.warmup = warm_up(generator, job, plan.warmup, listener, clock)
                course.flags += never_steady(course.warmup)
            with step("settle", course, listener):
                verifier.before_load(probe)
            with step("measure", course, listener):
                if isinstance(plan.load, Objective):
                    assert course.warmup is not None
                    searched = search(
                        plan, plan.load, generator, job, observer, listener, course.warmup
                    )
                    result, counts = searched.best.result, searched.counts
                elif isinstance(plan.load, Closed) and plan.load.in_turns:
                    assert course.warmup is not None
                    turn_s = slice_of(plan.load, course.warmup, len(plan.placement.server))
                    result = yield from load_in_slices(
                        plan, job, turn_s, server.process, observer, listener, course
                    )
                    counts = result["counts"]
                else:
                    result = measure.load_and_watch(plan, generator, job, observer, listener)
                    counts = result["counts"]
        finally:
            observed = observer.stop()
        if searched is not None:
            course.search = searched.record
            course.measurement = measure.assemble(
                plan, result, observed, searched.best.marks, at_start
            )
            course.bottleneck = limit_of(searched, plan, observed)
        else:
            course.measurement = measure.assemble(plan, result, observed, at_start=at_start)
            course.bottleneck = bottleneck_of(course.measurement, plan)
            course.flags += waited_in_turns(course.measurement, course.bottleneck.kind)
        course.flags += flags_of(course.measurement, plan.load)
        # Where users come anew all the while, one server's may be a first visit, another's not.
        if not plan.load.visits:
            course.answer = answer_of(plan.scenario, samples_of(result))
        with step("audit", course, listener):
            _audit(plan, verifier, probe, result, dict(counts))
    _settle(plan, course, server)


def _record_of(plan: TrialPlan) -> Path | None:
    """Where each request is written; not those of a search, whose steps are many loads."""
    if not plan.load.record or isinstance(plan.load, Objective):
        return None
    plan.jtl.parent.mkdir(exist_ok=True)
    return plan.jtl


def _audit(
    plan: TrialPlan,
    verifier: Verifier,
    probe: Probe,
    result: dict[str, object],
    counts: dict[str, int],
) -> None:
    verifier.phase = "during"
    # Only the built-in engine keeps answers; others are taken at their word for what they were.
    if plan.load.generator == "engine":
        verifier.audit(samples_of(result))
    elif isinstance(plan.load, Closed):
        # Nor do they tell of requests that the end cut off: at most one on each connection.
        counts["unfinished"] += plan.load.connections
    verifier.reconcile(probe, counts)
    verifier.phase = "after"
    verifier.verify(probe)


def _reason(plan: TrialPlan, course: Course, mismatch: Mismatch) -> str:
    """The counts of wrong answers say more than the one that the verifier stumbled on."""
    reason = str(mismatch)
    if course.verifier is not None and all(item.ok for item in course.verifier.evidence):
        phase = course.verifier.phase
        course.verifier.evidence.append(Evidence("the server answers", False, reason, phase))
    measured = course.measurement
    counted = failure_of(measured, course.flags, plan.load) if measured else ""
    return f"{counted}; {reason}" if counted else reason


def _settle(plan: TrialPlan, course: Course, server: RunningServer) -> None:
    """A server that died or did other work under load has failed, however fast it was."""
    code = server.process.exit_code()
    if code is not None:
        course.status, course.reason = "failed", f"the server ended with {code} during the load"
        return
    assert course.measurement is not None
    if reason := failure_of(course.measurement, course.flags, plan.load):
        course.status, course.reason = "failed", reason


def _stop(plan: TrialPlan, course: Course, listener: Listener) -> None:
    server = course.server
    if server is None:
        return
    with step("stop", course, listener):
        course.stop_seconds = server.process.stop()
    if why := over_memory(plan, server.confinement):
        # Whatever else went wrong followed from this.
        then = f"; {course.reason}" if course.reason else ""
        course.status, course.reason = "failed", why + then
    server.confinement.close()
    if server.process.killed:
        course.flags.append(
            FlagRecord(
                code="did-not-stop",
                message="it had to be killed; end on SIGTERM within 5 s",
            )
        )
    if left := server.left_behind():
        end_all(left)
        course.flags.append(
            FlagRecord(
                code="left-processes",
                message=f"{len(left)} of its processes outlived it; stop them on SIGTERM",
            )
        )
    if not port_is_free_again(server.port):
        course.flags.append(
            FlagRecord(
                code="port-still-open",
                message=f"port {server.port} was served after the stop; end all processes",
            )
        )
