"""The step of a trial that warms its server up, and what the verifier is told of it."""

from __future__ import annotations

from dataclasses import replace

from webdyno.generators.job import Job
from webdyno.generators.result import LoadResult
from webdyno.runtime.processes.deadline import deadline
from webdyno.trial import step_deadlines
from webdyno.trial.events import Listener
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.prove import samples_of
from webdyno.trial.starting.start import RunningServer
from webdyno.trial.state import TrialState, step
from webdyno.trial.warm_up import ServerOfTrial, warm_up
from webdyno.trial.watching.fullness import Fullness
from webdyno.verifier import Verifier


def warm_server(
    plan: TrialPlan,
    job: Job,
    listener: Listener,
    state: TrialState,
    server: RunningServer,
    verifier: Verifier,
) -> None:
    """Load the server until it is warm, see whether it fills its cores, and tell the verifier of
    its right answers."""
    before = state.warmup
    warm = before is not None and before.steady
    job = replace(job, samples=type(verifier).warm_up_samples, body_bytes=0)

    def ended(result: LoadResult) -> None:
        verifier.warmed(samples_of(result), result.counts.ok)

    with step("warm-up", state, listener):
        with deadline(*step_deadlines.WARM):
            verifier.before_warm_up()
        own_cores = "server" not in plan.placement.shared
        full = Fullness(
            server.process.pid, plan.placement.server, alone=own_cores, cores=plan.server_cores
        )
        services = [service.process.pid for service in state.services]
        warmed = warm_up(
            job,
            plan.warmup,
            ServerOfTrial(server.process, plan.placement, services),
            full.listening(listener),
            warmed=warm,
            ended=ended if job.samples else None,
        )
        # A warm server was seen under all that it can answer in the warm-up before.
        is_full = before.full if before is not None and warm else full.is_full()
        state.warmed_up(warmed.model_copy(update={"full": is_full}))
        verifier.answered_before += warmed.answers or 0
