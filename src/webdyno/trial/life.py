"""Trials from start to stop: every step timed, every failure told, nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from webdyno.catalog.loads.load import Objective
from webdyno.generators.job import Job, fresh_seed
from webdyno.generators.plugin import GeneratorPlugin
from webdyno.generators.spread import STARVED
from webdyno.runtime import heap
from webdyno.runtime.processes.ending import Ending
from webdyno.store.records import TrialRecord, now
from webdyno.trial import step_deadlines
from webdyno.trial.assessment import reasons
from webdyno.trial.assessment.assemble import assemble
from webdyno.trial.assessment.assess import (
    failure_of,
    flags_at_the_end,
    flags_of,
    steadiness_flags,
    why_not_steady,
)
from webdyno.trial.assessment.evenness import evenness_flags
from webdyno.trial.assessment.failures import failures_told
from webdyno.trial.assessment.limit import limit_of_trial
from webdyno.trial.assessment.record import record_of
from webdyno.trial.clean_up import clean_up
from webdyno.trial.events import Listener
from webdyno.trial.folders import TrialFolders
from webdyno.trial.loads.choice import strategy_of
from webdyno.trial.loads.loading import Loaded, Loading
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.beforehand import verify_beforehand, wants_proof_beforehand
from webdyno.trial.proof.crowd import life_of, rhythm_of, verify_again
from webdyno.trial.proof.lie import lie_before, lie_of
from webdyno.trial.proof.prove import answer_of, audit, samples_of, verifier_of
from webdyno.trial.proof.restart import restart_of, wants_restart
from webdyno.trial.services import services_folder, start_services, tell
from webdyno.trial.starting.start import RunningServer, start
from webdyno.trial.state import TrialState, step
from webdyno.trial.turn_taking.neighbours import called_others
from webdyno.trial.turn_taking.regime import PassOn, Regimes, alone
from webdyno.trial.turn_taking.slices import waited_in_turns
from webdyno.trial.warm_server import warm_server
from webdyno.trial.watching import measure
from webdyno.trial.watching.observed import TreeTotals
from webdyno.trial.watching.watch import NOT_RANKED, ServerWatch
from webdyno.verifier import Excess, Preparation, Probe, Verifier

_NOT_RANKED = NOT_RANKED | {STARVED}
"""Flags of a load that was not the one which was asked for, or of figures that nobody knows."""

StartPlans = Iterator[TrialPlan]
"""The trials that one start of a server makes, one after the other: each of another load."""


def run_trial(plan: TrialPlan, generator: GeneratorPlugin, listener: Listener) -> TrialRecord:
    """Run one trial and give its record; a server's failure is a result, not an exception.

    Raises `UserError` for content that is wrong, and lets an interrupt through after cleaning up.
    """
    (record,) = run_start(iter([plan]), generator, listener)
    return record


def run_start(
    plans: StartPlans,
    generator: GeneratorPlugin,
    listener: Listener,
    regimes: Regimes | None = None,
    others: PassOn = alone,
) -> list[TrialRecord]:
    """Run the trials of `plans`, all in one start of the server while each ends well; what fails
    is followed by another start. Gives their records.

    Trials that take turns call `others`, frozen, before each slice of their loads; `regimes` are
    those of all that take turns with them. Raises as `run_trial` does.
    """
    regimes = regimes or Regimes()
    records: list[TrialRecord] = []
    for plan in plans:
        regimes.under_way.add(plan.entry)
        try:
            records += _one_start(plan.settled(), plans, generator, listener, regimes, others)
        finally:
            regimes.under_way.discard(plan.entry)
    return records


def _one_start(
    plan: TrialPlan,
    further: StartPlans,
    generator: GeneratorPlugin,
    listener: Listener,
    regimes: Regimes,
    others: PassOn,
) -> Iterator[TrialRecord]:
    """From a start to its stop; `further` are the trials that follow."""
    state = TrialState(began=now(), regime=regimes.of(plan.load), others=others)
    trials = [(plan, state)]
    folders = TrialFolders.make(plan.temporary / f"trial-{plan.index}")
    try:
        with failures_told(plan, state), ExitStack() as stack:
            started = _begin(plan, listener, state, folders, stack)
            _load_and_assess(started, plan, generator, listener, state)
            while state.status == "ok" and (following := next(further, None)) is not None:
                state.ended = now()
                plan = replace(following.settled(), log_of=trials[0][0].log)
                state = state.next(regimes.of(plan.load))
                trials.append((plan, state))
                with failures_told(plan, state):
                    _load_and_assess(started, plan, generator, listener, state)
    finally:
        state.regime.leave(plan.entry)
        clean_up(*trials[-1], listener, folders)
    return (record_of(*one) for one in trials)


@dataclass(frozen=True)
class _Started:
    """A server that runs and has proven that it does its work, and what its loads need."""

    server: RunningServer
    verifier: Verifier
    preparation: Preparation
    probe: Probe
    at_start: TreeTotals


def _begin(
    plan: TrialPlan, listener: Listener, state: TrialState, folders: TrialFolders, stack: ExitStack
) -> _Started:
    """Start the server and have it prove its work; `stack` closes what was opened."""
    verifier, preparation = _prepare(plan, listener, state, folders)
    with step("start", state, listener):
        env = {**verifier.services, **preparation.env}
        server = start(plan, env, folders)
        state.server = server
        at_start = measure.memory_at_start(server.process.pid, plan.placement.observer)
    probe = stack.enter_context(Probe(f"http://{server.address}:{server.port}"))
    with step("verify", state, listener, step_deadlines.VERIFY):
        verifier.phase = "before"
        verifier.verify(probe)
    if wants_restart(plan, verifier):
        with step("restart", state, listener, step_deadlines.RESTART):
            verifier.verify_restarted(probe, restart_of(plan, env, folders))
    heap.give_back()
    return _Started(server, verifier, preparation, probe, at_start)


def _load_and_assess(
    started: _Started,
    plan: TrialPlan,
    generator: GeneratorPlugin,
    listener: Listener,
    state: TrialState,
) -> None:
    """Warm the server up for a load, make it, and see what it was like."""
    server, verifier, probe = started.server, started.verifier, started.probe
    job = replace(_job_of(plan, started.preparation, server), samples=type(verifier).samples)
    with ServerWatch(plan, server, state.services) as watch:
        watched = watch.listening(listener)
        # In the warm-up and in the load alike, no connections are open but theirs: a server with a
        # worker for each may have none to spare, and another would tell the two apart.
        probe.close()
        if plan.load.method == "sound":
            warm_server(plan, job, watched, state, server, verifier)
            assert state.warmup is not None
            if wants_proof_beforehand(plan, verifier):
                with step("verify", state, watched, step_deadlines.VERIFY):
                    verify_beforehand(plan, verifier, probe, job, state.warmup)
        with step("settle", state, watched, step_deadlines.SETTLE):
            verifier.before_load(probe)
        # Then the load has as many connections to the server as `verify_again` takes for granted.
        probe.close()
        watch.begin()
        # Other requests than the warm-up's, whose answers may have been kept.
        job = replace(job, seed=fresh_seed())
        if plan.load.method == "sound" or plan.only_proof:
            job = replace(job, changes=verifier.change)
        with step("measure", state, watched), Ending(server.process.pid) as state.ending:
            loading = Loading(plan, generator, job, server.process, watch.observer, watched, state)
            loaded = strategy_of(plan.load)(loading)
        watch.end()
    _assess(plan, state, loaded, watch, started.at_start)
    with step("audit", state, watched, step_deadlines.AUDIT):
        _audit(plan, state, started, job, loaded)
    _set_outcome(plan, state)


def _prepare(
    plan: TrialPlan, listener: Listener, state: TrialState, folders: TrialFolders
) -> tuple[Verifier, Preparation]:
    """Start what the server needs, and lay out what it serves."""
    if plan.services:
        with step("services", state, listener, step_deadlines.SERVICES):
            start_services(plan, services_folder(folders.root), state.services)
    with step("prepare", state, listener, step_deadlines.PREPARE):
        verifier = verifier_of(
            plan.scenario, plan.parameters, folders.laid_out, written=folders.written
        )
        state.verifier = verifier
        verifier.keep_alive = plan.server_variant.server.keeps_connections(
            plan.server_variant.variant
        )
        tell(verifier, state.services)
        verifier.bring_in = plan.site.bring_in
        return verifier, verifier.prepare()


def _job_of(plan: TrialPlan, preparation: Preparation, server: RunningServer) -> Job:
    """The load as its generator is told of it."""
    return Job(
        scenario=plan.scenario.manifest.with_bodies(preparation.bodies),
        load=plan.load,
        host=server.address,
        port=server.port,
        make_load=plan.site.make_load,
        cpus=plan.placement.generator,
        seed=plan.seed,
        variables=preparation.variables,
        lookups={name: dict(bodies) for name, bodies in preparation.lookups.items()},
        record=_jtl_of(plan),
    )


def _jtl_of(plan: TrialPlan) -> Path | None:
    """Where each request is written; not those of a search, whose steps are many loads."""
    if not plan.load.record or isinstance(plan.load, Objective):
        return None
    plan.jtl.parent.mkdir(exist_ok=True)
    return plan.jtl


def _assess(
    plan: TrialPlan, state: TrialState, loaded: Loaded, watch: ServerWatch, at_start: TreeTotals
) -> None:
    """What the load measured, what limited it, and what has to be said of it."""
    observed = watch.observed
    measured = assemble(plan, loaded.load, observed, at_start, loaded.repeated)
    state.search, state.measurement = loaded.search, measured
    state.limit = limit_of_trial(loaded, measured, plan, observed)
    state.flags += waited_in_turns(measured, state.limit.kind)
    state.flags += flags_of(measured, plan.load)
    state.flags += flags_at_the_end(loaded.load.result)
    state.flags += evenness_flags(loaded.load.result)
    state.flags += watch.flags(measured)
    if state.warmup is not None:
        # A search is many loads, most of them gentler than the warm-up's.
        alike = None if loaded.search is not None else measured
        state.not_steady = why_not_steady(state.warmup, alike, loaded.before, loaded.compiled_s)
        state.flags += steadiness_flags(state.warmup, state.not_steady)
    # Where users come anew all the while, one server's may be a first visit, another's not.
    if not plan.load.visits:
        state.answer = answer_of(plan.scenario, samples_of(loaded.load.result))


def _audit(plan: TrialPlan, state: TrialState, started: _Started, job: Job, loaded: Loaded) -> None:
    """Whether the load's answers were right, and whether the server still gives them."""
    assert state.measurement is not None
    measured, excess = state.measurement, None
    verifier, probe = started.verifier, started.probe
    verifier.followed = loaded.followed
    try:
        audit(plan, verifier, probe, loaded.load.result, loaded.counts.by_kind(), measured)
    except Excess as fault:
        excess = fault
    verifier.answered_before += loaded.counts.ok
    verifier.phase = "after"
    with lie_before(excess):
        lives_s = life_of(plan.load, measured)
        rhythm = rhythm_of(loaded.load, started.server.process, job, verifier)
        verify_again(verifier, probe, job, measured.throughput_rps, lives_s, rhythm)


def _set_outcome(plan: TrialPlan, state: TrialState) -> None:
    """A server that died or did other work under load has failed, however fast it was."""
    if ended := reasons.ended(plan, state):
        state.status, state.reason = "failed", ended
        return
    assert state.measurement is not None
    if told := reasons.of_flags(state, _NOT_RANKED):
        state.status, state.reason = "failed", told
        state.lie = called_others(state.flags)
        return
    if reason := failure_of(state.measurement, state.flags, plan.load):
        state.status, state.reason = "failed", reason
        state.lie = lie_of(plan, state)
