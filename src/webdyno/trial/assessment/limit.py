"""What limited a trial: the evidence of its measurement, put before `verdict.limits.limit`."""

from __future__ import annotations

from webdyno.catalog.loads.load import Closed, Iterations, Load, Objective, Open
from webdyno.store.records import Measurement
from webdyno.trial.assessment.assemble import assemble
from webdyno.trial.assessment.assess import LOST_LIMIT
from webdyno.trial.loads.loading import Loaded
from webdyno.trial.plan import TrialPlan
from webdyno.trial.watching.observed import Observed
from webdyno.verdict.integrity import BEHIND_LIMIT, idle_share
from webdyno.verdict.limits.in_time import answered_in_time
from webdyno.verdict.limits.limit import Limit, limit_of
from webdyno.verdict.limits.limit_evidence import LimitEvidence

LATE = 0.01
"""Part of the requests that the engine sent late though a connection was free, above which it was
behind its work."""

_OWN_ROLES = ("server", "generator")


def limit_of_trial(
    loaded: Loaded, measured: Measurement, plan: TrialPlan, observed: Observed
) -> Limit:
    """Which role, if any, was the limit of the load that counts.

    Of a search, what keeps the server from meeting the objective at a higher rate: that is seen in
    the step that failed at the lowest.
    """
    search = loaded.search
    machines = loaded.load.result.machines
    if machines is not None and machines.limit is not None:
        return Limit("network", machines.limit.reason)
    if search is None:
        return limit_of_measurement(measured, plan)
    if search.kind == "at-least":
        by_generator = "generator" in search.reason
        return Limit("generator-bound" if by_generator else "offered-load", search.reason)
    refuting = loaded.refuting
    if refuting is None:
        return limit_of_measurement(measured, plan)
    return limit_of_measurement(assemble(plan, refuting, observed), plan)


def limit_of_measurement(measured: Measurement, plan: TrialPlan) -> Limit:
    """Which role, if any, was the limit."""
    cpu, counts, load = measured.cpu, measured.counts, plan.load
    behind = measured.generator.behind_share or 0.0
    if isinstance(load, Open) and behind > BEHIND_LIMIT:
        # However much was answered in the end: another load was made than the study's.
        why = f"{load.generator} fell behind its schedule by {behind:.0%} of the requests"
        return Limit("generator-bound", why)
    limited = counts.client_limit
    if limited > LOST_LIMIT * counts.offered:
        of = f"{limited} of {counts.offered} requests"
        why = f"{of} were not sent, for lack of a free file descriptor or port"
        return Limit("generator-bound", why)
    server, generator = cpu["server"], cpu["generator"]
    shared, cores = plan.placement.shared, float(len(plan.placement.server))
    on_servers = [role for role in cpu if role == "server" or _role(role) in shared]
    sharing = {role: cpu[role].share * cpu[role].cores / cores for role in on_servers}
    services = {role: use.share for role, use in cpu.items() if role not in sharing}
    services.pop("generator", None)
    delays = [cpu[role].run_delay_s for role in on_servers if role != "generator"]
    known = [delay for delay in delays if delay is not None]
    core_seconds = max(measured.elapsed_s * cores, 1e-9)
    delay = sum(known) / core_seconds if len(known) == len(delays) else None
    idle = None
    # A mean latency may hold answers that never were; see `catalog.loads.abilities.Figures`.
    made_up = load.abilities.figures.adds_slow
    if isinstance(load, Closed) and measured.latency_us is not None and not made_up:
        idle = idle_share(
            measured.throughput_rps,
            measured.latency_us.mean,
            load.settled_connections,
            measured.elapsed_s,
        )
    busiest = generator.busiest_thread_share
    evidence = LimitEvidence(
        server_cpu_share=server.share,
        server_cores=server.cores,
        server_cores_used=server.share * server.cores,
        sharing=sharing if len(sharing) > 1 else {},
        placed_cores=cores,
        paused_share=measured.paused_by_quota_share,
        busiest_thread_share=server.busiest_thread_share,
        ready_thread_share=server.busiest_thread_ready_share,
        generator_cpu_share=generator.share if busiest is None else busiest,
        generator_threads=int(generator.cores),
        generator_by_thread=busiest is not None,
        generator_late=(measured.generator.late_own or 0) > LATE * counts.sent,
        services=services,
        service_threads={
            role: use.busiest_thread_share
            for role, use in cpu.items()
            if role not in _OWN_ROLES and use.busiest_thread_share is not None
        },
        run_delay_share=delay,
        foreign_cpu_share=measured.foreign_cpu_share,
        generator_foreign_share=measured.generator_foreign_cpu_share,
        stolen_cpu_share=measured.stolen_cpu_share,
        generator_stolen_share=measured.generator_stolen_cpu_share,
        connections=_connections(load),
        idle_share=idle,
        achieved=_in_time(measured, load) if isinstance(load, Open) else None,
        by_the_clock=isinstance(load, Open | Objective) and load.arrivals == "poisson",
    )
    return limit_of(evidence)


def _connections(load: Load) -> int | None:
    if isinstance(load, Iterations):
        return load.users
    return load.settled_connections if isinstance(load, Closed) else None


def _in_time(measured: Measurement, load: Open) -> float:
    latency = measured.latency_us
    return answered_in_time(
        offered=measured.counts.offered,
        ok=measured.counts.ok,
        after_end=measured.ok_after_end,
        seconds=load.seconds(),
        elapsed_s=measured.elapsed_s,
        mean_s=latency.mean / 1e6 if latency else 0.0,
        least_s=latency.min / 1e6 if latency else 0.0,
    )


def _role(name: str) -> str:
    """The role that a program's CPU is part of: every service has its own name."""
    return name if name in _OWN_ROLES else "services"
