"""What the generator and the observer saw of a load becomes a `Measurement`."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from webdyno.generators.result import GeneratorSpent, LoadResult
from webdyno.printable import printable
from webdyno.runtime.machine.core_seconds import CoreSeconds
from webdyno.runtime.processes.thread_times import busiest
from webdyno.store import measurement as record
from webdyno.trial.loads.loading import WatchedLoad
from webdyno.trial.plan import TrialPlan
from webdyno.trial.watching.measure import IDLE, CoreUsage
from webdyno.trial.watching.observed import Mark, Observed, TreePeak, TreeSample, TreeTotals

OBSERVATIONS = 240
"""About how many points of a load's CPU and memory are kept at most."""


def assemble(
    plan: TrialPlan,
    load: WatchedLoad,
    observed: Observed,
    at_start: TreeTotals | None = None,
    repeated: int = 0,
) -> record.Measurement:
    """Put a load's result and the observer's record between its marks together.

    `at_start` is what the server held at its first answer, `repeated` how many loads were made
    before this one that did not count.
    """
    result, seen = load.result, observed.roles["server"]
    begin, end = (observed.marks[mark] for mark in load.marks)
    cpu = _cpu_by_role(plan, load, begin, end)
    ok, answered = result.counts.ok, max(1, result.counts.answered)
    series = [one for one in seen.series if begin.t_s <= one.t_s <= end.t_s]
    then, now = begin.roles["server"], end.roles["server"]
    on_servers = _on_servers(plan, load.cores, cpu)
    on_generators = _on_generators(plan, load.cores, result.generator)
    return record.Measurement(
        elapsed_s=result.elapsed_s,
        throughput_rps=result.throughput_rps,
        ok_after_end=result.ok_after_end,
        latency_us=result.latency_us,
        latency_from_send_us=result.latency_from_send_us,
        send_lag_us=result.send_lag_us if ok else None,
        latency_with_lost_us=result.latency_with_lost_us,
        first_byte_us=result.first_byte_us,
        connect_us=result.connect_us,
        counts=result.counts,
        errors_detail=[_shown(one) for one in result.errors_detail],
        by_request=result.by_request,
        cpu_us_per_request={
            role: (use.user_s + use.system_s) * 1e6 / answered for role, use in cpu.items()
        },
        cpu=cpu,
        memory_bytes=_memory(seen.peak, observed.marks[IDLE].roles["server"], series, at_start),
        foreign_cpu_share=on_servers.others,
        paused_by_quota_share=load.cores.paused_share,
        generator_foreign_cpu_share=on_generators.others,
        stolen_cpu_share=on_servers.stolen,
        generator_stolen_cpu_share=on_generators.stolen,
        threads_peak=max((one.threads for one in series), default=0),
        processes_peak=max((one.processes for one in series), default=0),
        context_switches={
            "voluntary": now.ctx_voluntary - then.ctx_voluntary,
            "involuntary": now.ctx_involuntary - then.ctx_involuntary,
        },
        bytes_received=result.bytes_received,
        bytes_sent=result.bytes_sent,
        series=result.series,
        observations=_observations(series, begin.t_s, plan.server_cores),
        histograms=result.histograms,
        generator=_figures(load, repeated, observed.cost_cpu_s),
    )


def _cpu_by_role(
    plan: TrialPlan, load: WatchedLoad, begin: Mark, end: Mark
) -> dict[str, record.CpuUse]:
    cores = {"server": plan.server_cores}
    away = plan.placement.elsewhere
    of_services = float(len(plan.placement.services))
    if away is not None and away.service:
        of_services = float(away.service_cores)
    # Where the marks enclose more than the load, most of what is more is idle.
    wall = end.t_s - begin.t_s if load.exactly else load.result.elapsed_s
    cpu = {role: _cpu(begin, end, role, wall, cores.get(role, of_services)) for role in end.roles}
    cpu["generator"] = _generator(load.result)
    return cpu


def _figures(
    load: WatchedLoad, repeated: int, observer_cost_s: float | None
) -> record.GeneratorFigures:
    result, spent = load.result, load.result.generator
    return record.GeneratorFigures(
        **spent.own_fields(),
        threads=spent.threads,
        cpu_seconds=spent.cpu_seconds,
        connections_opened=result.connections_opened,
        connections_closed_idle=result.connections_closed_idle,
        connections_unsolicited=result.connections_unsolicited,
        repeated=repeated,
        slices=load.slices,
        slice_s=load.slice_s,
        watched_exactly=load.exactly,
        watched_s=load.cores.watched_s,
        observer_cost_s=observer_cost_s,
        machines=result.machines,
    )


def _shown(error: record.ErrorDetail) -> record.ErrorDetail:
    """A detail may quote what the server sent."""
    request = error.request and printable(error.request)
    return error.model_copy(update={"request": request, "detail": printable(error.detail)})


def _generator(result: LoadResult) -> record.CpuUse:
    """The generator's CPU; a generator that does not tell of each thread has but their mean."""
    spent, each = result.generator, result.generator.cpu_seconds_by_thread or []
    wall = max(result.elapsed_s, 1e-9)
    return record.CpuUse(
        user_s=spent.cpu_user_s,
        system_s=spent.cpu_system_s,
        cores=float(spent.threads),
        share=spent.cpu_seconds / (wall * spent.threads),
        busiest_thread_share=min(1.0, max(each) / wall) if each else None,
    )


def _cpu(begin: Mark, end: Mark, role: str, wall: float, cores: float) -> record.CpuUse:
    threads = busiest(begin.threads.get(role, {}), end.threads.get(role, {}), wall)
    then, now = begin.roles[role], end.roles[role]
    # Totals of floats: of a role that did nothing, the difference may be a hair below zero.
    user = max(0.0, now.cpu_user_s - then.cpu_user_s)
    system = max(0.0, now.cpu_system_s - then.cpu_system_s)
    delay = None
    if now.run_delay_s is not None and then.run_delay_s is not None:
        delay = max(0.0, now.run_delay_s - then.run_delay_s)
    # More than all of them is no share: then the load lasted longer than its generator says.
    wall = max(wall, (user + system) / cores)
    return record.CpuUse(
        user_s=user,
        system_s=system,
        cores=cores,
        share=(user + system) / max(wall * cores, 1e-9),
        run_delay_s=delay,
        busiest_thread_share=threads[0] if threads else None,
        busiest_thread_ready_share=threads[1] if threads else None,
    )


@dataclass(frozen=True)
class _UnclaimedShares:
    """Shares of a role's cores that nobody in the trial used: all of it, and what of it the host of
    a virtual machine took. None where that is not known."""

    others: float | None = None
    stolen: float | None = None

    @classmethod
    def of(cls, seconds: CoreSeconds | None, own_s: float, core_s: float) -> _UnclaimedShares:
        """Of cores that did this, `own_s` of it for the trial, in `core_s` seconds times cores."""
        if seconds is None:
            return cls()
        left, core_s = seconds.without(own_s), max(core_s, 1e-9)
        return cls(left.busy / core_s, left.stolen / core_s)


def _on_servers(
    plan: TrialPlan, cores: CoreUsage, cpu: dict[str, record.CpuUse]
) -> _UnclaimedShares:
    """What nobody in the trial used of the server's cores."""
    placement = plan.placement
    known = ["server", *(role for role in cpu if role not in ("server", "generator"))]
    if not placement.shared and len(known) > 1:
        known = ["server"]
    with_generator = "generator" in placement.shared
    if with_generator:
        known.append("generator")
    own = sum(cpu[role].user_s + cpu[role].system_s for role in known)
    found = _UnclaimedShares.of(cores.server, own, cores.watched_s * len(placement.server))
    # What Webdyno itself does there, beside the generator's threads, is not known.
    return replace(found, others=None) if with_generator else found


def _on_generators(plan: TrialPlan, cores: CoreUsage, spent: GeneratorSpent) -> _UnclaimedShares:
    """The same of the generator's cores; nothing is known where services run there, too."""
    placement = plan.placement
    if placement.elsewhere is not None:
        return _UnclaimedShares()
    if placement.shared or (plan.services and placement.services == placement.generator):
        return _UnclaimedShares()
    # A program of its own was watched from its start to its end.
    own = spent.cpu_in_all_s or spent.cpu_user_s + spent.cpu_system_s
    return _UnclaimedShares.of(cores.generator, own, cores.watched_s * len(placement.generator))


def _memory(
    peak: TreePeak, idle: TreeTotals, series: list[TreeSample], at_start: TreeTotals | None
) -> record.Memory:
    """By the proportional memory where the kernel tells it, else by the resident."""
    if peak.pss_bytes:
        start, top = at_start.pss_bytes if at_start else None, peak.pss_bytes
        values = [one.pss_bytes for one in series if one.pss_bytes]
        before = idle.memory_bytes
    else:
        start, top = at_start.rss_bytes if at_start else None, peak.rss_bytes
        values = [one.rss_bytes for one in series if one.rss_bytes]
        before = idle.rss_bytes
    return record.Memory(
        start=float(start) if start else None,
        idle=float(before),
        mean=sum(values) / len(values) if values else float(top),
        peak=float(max([top, *values])),
        peak_rss=float(peak.rss_bytes),
        kind="pss" if peak.pss_bytes else "rss",
    )


def _observations(
    series: list[TreeSample], begin_s: float, cores: float
) -> list[record.Observation]:
    """CPU share and memory over the load, thinned to about `OBSERVATIONS` points."""
    step = max(1, len(series) // OBSERVATIONS)
    points: list[record.Observation] = []
    held = _memory_over(series)[::step]
    for (before, now), memory in zip(itertools.pairwise(series[::step]), held[1:], strict=True):
        spent = max(0.0, now.cpu_user_s - before.cpu_user_s)
        spent += max(0.0, now.cpu_system_s - before.cpu_system_s)
        width = max(now.t_s - before.t_s, 1e-9)
        points.append(
            record.Observation(
                t_s=round(now.t_s - begin_s, 3),
                cpu_share=round(spent / width / cores, 4),
                memory_bytes=memory,
                threads=now.threads,
                processes=now.processes,
            )
        )
    return points


def _memory_over(series: list[TreeSample]) -> list[int]:
    """The memory at each sample, of one kind: the proportional, which is read at some of them only,
    as it was last read; the resident where it is never told."""
    known = [one.pss_bytes for one in series if one.pss_bytes]
    if not known:
        return [one.rss_bytes for one in series]
    last, found = known[0], []
    for one in series:
        last = one.pss_bytes or last
        found.append(last)
    return found
