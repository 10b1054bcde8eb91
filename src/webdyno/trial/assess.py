"""What a measurement is worth: its integrity tests, whether it counts, and what limited it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webdyno.catalog.load import Closed, Load, Objective, Open
from webdyno.store.records import CpuUse, FlagRecord, Measurement, Warmup
from webdyno.trial import measure
from webdyno.trial.plan import TrialPlan
from webdyno.trial.search import Searched
from webdyno.verdict.bottleneck import Bottleneck, bottleneck
from webdyno.verdict.integrity import BEHIND_LIMIT, FORBIDS_RANKING, check, idle_share

LOST_LIMIT = 1e-4
"""A server that leaves more than one request in 10,000 unanswered does less work than the others;
its figures are shown but not ranked."""

_OWN_ROLES = ("server", "generator")


def flags_of(measured: Measurement, load: Load) -> list[FlagRecord]:
    """The integrity tests that the measurement fails."""
    # A step of a search is an open load like any other, but that all of its connections may wait
    # for the server: that is the limit which is searched for.
    searched = isinstance(load, Objective)
    shape = {**load.model_dump(), "kind": "open" if searched else load.kind}
    found = check(measured.model_dump(), shape)
    return [
        FlagRecord(code=flag.code, message=flag.message)
        for flag in found
        if not (searched and flag.code == "few-connections")
    ]


def never_steady(warmup: Warmup) -> list[FlagRecord]:
    """A verdict of its own: what follows is the figure of a server that still changed."""
    if warmup.kind != "never":
        return []
    return [
        FlagRecord(
            code="never-steady",
            message=f"not steady within {warmup.seconds:.1f} s of warm-up: what was measured still "
            "changed; raise warmup.max, and see its curve",
        )
    ]


def failure_of(measured: Measurement, flags: list[FlagRecord], load: Load) -> str:
    """Why the measurement must not count; empty where it may.

    An objective says itself how many requests may fail; wrong answers no load forgives.
    """
    for flag in flags:
        if flag.code in FORBIDS_RANKING:
            return flag.message
    counts = measured.counts
    by_objective = isinstance(load, Objective)
    kinds = ("failed_check", "malformed", *(() if by_objective else ("wrong_status",)))
    wrong = {kind: counts.get(kind, 0) for kind in kinds}
    if any(wrong.values()):
        told = ", ".join(f"{kind} {count}" for kind, count in wrong.items() if count)
        first = next((str(error.get("detail", "")) for error in measured.errors_detail), "")
        return f"wrong answers under load: {told} of {counts['sent']}" + (first and f"; {first}")
    lost = sum(counts.get(kind, 0) for kind in ("reset", "timed_out", "refused"))
    if not by_objective and lost > LOST_LIMIT * counts["offered"]:
        return f"{lost} of {counts['offered']} requests were never answered"
    return ""


def limit_of(searched: Searched, plan: TrialPlan, observed: str) -> Bottleneck:
    """What keeps the server from meeting the objective at a higher rate: seen in the step that
    failed at the lowest."""
    found = searched.record
    if found.kind == "at-least":
        by_generator = "generator" in found.reason
        return Bottleneck("generator-bound" if by_generator else "offered-load", found.reason)
    shown = searched.refuting or searched.best
    return bottleneck_of(measure.assemble(plan, shown.result, observed, shown.marks), plan)


def bottleneck_of(measured: Measurement, plan: TrialPlan) -> Bottleneck:
    """Which role, if any, was the limit."""
    cpu, counts, load = measured.cpu, measured.counts, plan.load
    behind = measured.generator.get("behind_share") or 0.0
    if isinstance(load, Open) and behind > BEHIND_LIMIT:
        # However much was answered in the end: another load was made than the study's.
        why = f"{load.generator} was {behind:.0%} of the requests behind its schedule"
        return Bottleneck("generator-bound", why)
    server = cpu["server"]
    core_seconds = max(measured.elapsed_s * server.cores, 1e-9)
    own, services = _shares(cpu, plan.placement.shared)
    together = "services" in plan.placement.shared
    there = [cpu[role] for role in cpu if role == "server" or (together and role != "generator")]
    delays = [use.run_delay_s for use in there if use.run_delay_s is not None]
    delay = sum(delays) / core_seconds if len(delays) == len(there) else None
    idle = None
    # wrk's mean latency holds answers that never were; see `generators.wrk`.
    if isinstance(load, Closed) and measured.latency_us is not None and load.generator != "wrk":
        idle = idle_share(
            measured.throughput_rps,
            measured.latency_us.mean,
            load.connections,
            measured.elapsed_s,
        )
    return bottleneck(
        server_cpu_share=own,
        generator_cpu_share=cpu["generator"].share,
        service_cpu_share=services,
        run_delay_share=delay,
        cores_cpu_share=sum(use.share for use in there),
        foreign_cpu_share=measured.foreign_cpu_share,
        generator_foreign_share=measured.generator_foreign_cpu_share,
        idle_share=idle,
        achieved=counts["ok"] / max(1, counts["offered"]) if isinstance(load, Open) else None,
        shared_core="generator" in plan.placement.shared,
    )


def _shares(cpu: Mapping[str, CpuUse], shared: Sequence[str]) -> tuple[float, float | None]:
    """CPU shares of the server and of the busiest service.

    Where they have to share a core none can fill it alone: then what both use together counts for
    the one that uses more of it.
    """
    server = cpu["server"].share
    shares = [use.share for role, use in cpu.items() if role not in _OWN_ROLES]
    if not shares:
        return server, None
    services = max(shares)
    if "services" not in shared:
        return server, services
    together = server + sum(shares)
    return (together, services) if server >= services else (server, together)
