"""What a measurement is worth: its integrity tests, whether it counts, and what limited it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webdyno.catalog.load import Closed, Load, Objective, Open
from webdyno.generators.malformed import in_words
from webdyno.generators.result import LoadResult
from webdyno.store.records import CpuUse, FlagRecord, Measurement, Warmup
from webdyno.trial.assessment.assemble import assemble
from webdyno.trial.loads.loading import Loaded
from webdyno.trial.plan import TrialPlan
from webdyno.trial.watching.observed import Observed
from webdyno.verdict.bottleneck import Bottleneck, LimitEvidence, bottleneck
from webdyno.verdict.integrity import BEHIND_LIMIT, FORBIDS_RANKING, check, idle_share
from webdyno.verdict.warm import COMPILING, AnswerCost, cheaper

LOST_LIMIT = 1e-4
"""A server that leaves more than one request in 10,000 unanswered does less work than the others;
its figures are shown but not ranked."""

LATE = 0.01
"""Part of the requests that the engine sent late though a connection was free, above which it was
behind its work."""

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


def flags_at_the_end(result: LoadResult) -> list[FlagRecord]:
    """That the end of a closed load hid the slowest answers, or that much of what an open one
    counts was answered after it."""
    found = []
    if (longest := result.cut_off_us) is not None and result.latency_us is not None:
        message = (
            f"{result.counts.unfinished} of {result.counts.sent} requests had no answer at the "
            f"end, one for {longest / 1e6:.3g} s; measure longer: no latency includes them"
        )
        found.append(FlagRecord(code="cut-off", message=message))
    if (rate_rps := result.rate_before_end) is not None:
        message = (
            f"{result.ok_after_end} of {result.counts.ok} answers came after the load's end; "
            f"lower the rate: while the load lasted, the server answered {rate_rps:.4g}/s"
        )
        found.append(FlagRecord(code="answered-after-end", message=message))
    return found


def why_not_steady(
    warmup: Warmup,
    measured: Measurement | None = None,
    before: AnswerCost | None = None,
    compiler_s: float | None = None,
) -> str:
    """Why the trial is not shown to be that of a warm server; empty where it is.

    `before` is what an answer cost in the load before the measurement, `compiler_s` the CPU time
    of the server's compilers during it, where they can be seen.
    """
    if not warmup.steady:
        why = warmup.reason or "it never became steady"
        return f"after {warmup.seconds:.1f} s of warm-up {why}"
    if measured is None:
        return ""
    spent_s = {role: use.user_s + use.system_s for role, use in measured.cpu.items()}
    cpu_s = max(spent_s["server"], 1e-9)
    if compiler_s is not None and compiler_s > COMPILING * cpu_s:
        return (
            f"its runtime was compiling while it was measured ({compiler_s / cpu_s:.0%} of its CPU "
            "time)"
        )
    own_s = cpu_s - (compiler_s or 0.0)
    return cheaper(before, AnswerCost.of(measured.counts["ok"], own_s, spent_s.get("generator")))


def steadiness_flags(warmup: Warmup, why: str) -> list[FlagRecord]:
    """The doubt that `why` raises, by the way the warm-up ended."""
    if not why:
        return []
    code = "never-steady" if warmup.kind == "never" or warmup.steady else "perhaps-cold"
    return [FlagRecord(code=code, message=f"{why}; the trial settles nothing: raise warmup.max")]


def failure_of(measured: Measurement, flags: list[FlagRecord], load: Load) -> str:
    """Why the measurement must not count; empty where it may.

    An objective says itself how many requests may fail; wrong answers no load forgives. They are
    told first: that no answer counted, or that figures contradict each other, follows from them.
    """
    counts = measured.counts
    by_objective = isinstance(load, Objective)
    kinds = ("failed_check", "malformed", *(() if by_objective else ("wrong_status",)))
    wrong = {kind: counts.get(kind, 0) for kind in kinds}
    if any(wrong.values()):
        told = ", ".join(f"{kind} {count}" for kind, count in wrong.items() if count)
        first = next((in_words(error.detail) for error in measured.errors_detail), "")
        return f"wrong answers under load: {told} of {counts['sent']}" + (first and f"; {first}")
    for flag in flags:
        if flag.code in FORBIDS_RANKING:
            return flag.message
    lost = sum(counts.get(kind, 0) for kind in ("reset", "timed_out", "refused"))
    if not by_objective and lost > LOST_LIMIT * counts["offered"]:
        return f"{lost} of {counts['offered']} requests were never answered"
    return ""


def limit_of(
    loaded: Loaded, measured: Measurement, plan: TrialPlan, observed: Observed
) -> Bottleneck:
    """Which role, if any, was the limit of the load that counts.

    Of a search, what keeps the server from meeting the objective at a higher rate: that is seen in
    the step that failed at the lowest.
    """
    found = loaded.search
    machines = loaded.load.result.machines
    if machines is not None and machines.limit is not None:
        return Bottleneck("network", machines.limit.reason)
    if found is None:
        return bottleneck_of(measured, plan)
    if found.kind == "at-least":
        by_generator = "generator" in found.reason
        return Bottleneck("generator-bound" if by_generator else "offered-load", found.reason)
    shown = loaded.refuting
    if shown is None:
        return bottleneck_of(measured, plan)
    return bottleneck_of(assemble(plan, shown, observed), plan)


def bottleneck_of(measured: Measurement, plan: TrialPlan) -> Bottleneck:
    """Which role, if any, was the limit."""
    cpu, counts, load = measured.cpu, measured.counts, plan.load
    behind = measured.generator.behind_share or 0.0
    if isinstance(load, Open) and behind > BEHIND_LIMIT:
        # However much was answered in the end: another load was made than the study's.
        why = f"{load.generator} fell behind its schedule by {behind:.0%} of the requests"
        return Bottleneck("generator-bound", why)
    limited = counts.get("client_limit", 0)
    if limited > LOST_LIMIT * counts["offered"]:
        of = f"{limited} of {counts['offered']} requests"
        why = f"{of} were not sent, for lack of a free file descriptor or port"
        return Bottleneck("generator-bound", why)
    server, generator = cpu["server"], cpu["generator"]
    core_seconds = max(measured.elapsed_s * server.cores, 1e-9)
    shared = plan.placement.shared
    over = shares_of(cpu, shared)
    own, services = _shares(over, shared)
    together = "services" in shared
    there = [role for role in cpu if role == "server" or (together and role != "generator")]
    delays = [cpu[role].run_delay_s for role in there]
    known = [delay for delay in delays if delay is not None]
    delay = sum(known) / core_seconds if len(known) == len(there) else None
    idle = None
    # A mean latency may hold answers that never were; see `catalog.abilities.Figures`.
    made_up = load.abilities.figures.adds_slow
    if isinstance(load, Closed) and measured.latency_us is not None and not made_up:
        idle = idle_share(
            measured.throughput_rps,
            measured.latency_us.mean,
            load.made_connections,
            measured.elapsed_s,
        )
    busiest = generator.busiest_thread_share
    seen = LimitEvidence(
        server_cpu_share=own,
        server_cores=server.cores,
        server_cores_used=server.share * server.cores,
        busiest_thread_share=server.busiest_thread_share,
        # On shared cores a thread cannot be full by itself: there the sum decides.
        generator_cpu_share=(
            over["generator"] if "generator" in shared or busiest is None else busiest
        ),
        generator_threads=int(generator.cores),
        generator_late=(measured.generator.late_own or 0) > LATE * counts["sent"],
        service_cpu_share=services,
        run_delay_share=delay,
        cores_cpu_share=sum(over[role] for role in there),
        foreign_cpu_share=measured.foreign_cpu_share,
        generator_foreign_share=measured.generator_foreign_cpu_share,
        idle_share=idle,
        achieved=counts["ok"] / max(1, counts["offered"]) if isinstance(load, Open) else None,
        shared_core="generator" in shared,
    )
    return bottleneck(seen)


def shares_of(cpu: Mapping[str, CpuUse], shared: Sequence[str]) -> dict[str, float]:
    """The CPU share of each role: of its own cores, but of the server's where it shares them, so
    that shares of the same cores add up."""
    on_servers = set(shared) if "server" in shared else set()
    return {
        role: use.share * use.cores / cpu["server"].cores
        if _role(role) in on_servers
        else use.share
        for role, use in cpu.items()
    }


def _role(name: str) -> str:
    """The role that a program's CPU is part of: every service has its own name."""
    return name if name in _OWN_ROLES else "services"


def _shares(share: Mapping[str, float], shared: Sequence[str]) -> tuple[float, float | None]:
    """CPU shares of the server and of the busiest service.

    Where they have to share a core none can fill it alone: then what both use together counts for
    the one that uses more of it.
    """
    server = share["server"]
    shares = [used for role, used in share.items() if role not in _OWN_ROLES]
    if not shares:
        return server, None
    services = max(shares)
    if "services" not in shared:
        return server, services
    together = server + sum(shares)
    return (together, services) if server >= services else (server, together)
