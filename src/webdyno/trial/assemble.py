"""What the generator and the observer saw of a load becomes a `Measurement`."""

from __future__ import annotations

import itertools
import json
from typing import Any

from webdyno.generators.base import BEGIN, END
from webdyno.printable import printable
from webdyno.runtime.thread_times import busiest
from webdyno.store import measurement as record
from webdyno.trial.measure import IDLE, Held
from webdyno.trial.plan import TrialPlan

_OF_GENERATOR = (
    "threads", "reactor", "cpu_seconds", "cpu_seconds_by_thread", "table", "behind_share",
    "late_own", "late_waited",
)  # fmt: skip

_OF_CONNECTIONS = ("connections_closed_idle", "connections_unsolicited")


def assemble(
    plan: TrialPlan,
    result: dict[str, Any],
    observed: str,
    marks: tuple[str, str] = (BEGIN, END),
    at_start: Held | None = None,
    repeated: int = 0,
) -> record.Measurement:
    """Put the generator's result and the observer's record between two marks together.

    `at_start` is what the server held at its first answer, `repeated` how many loads were made
    before this one that did not count.
    """
    seen = json.loads(observed)
    begin, end = (seen["marks"][mark] for mark in marks)
    cores = {"server": float(len(plan.placement.server))}
    of_services = float(len(plan.placement.services))
    # Where the marks enclose more than the load, most of what is more is idle.
    wall = end["t_s"] - begin["t_s"] if result.get("marked") else result["elapsed_s"]
    cpu = {
        role: _cpu(begin, end, role, wall, cores.get(role, of_services)) for role in seen["roles"]
    }
    generator = result["generator"]
    cpu["generator"] = _generator(generator, result["elapsed_s"])
    ok = result["counts"]["ok"]
    answered = max(1, sum(result["counts"][k] for k in ("ok", "wrong_status", "failed_check")))
    series = [
        s for s in seen["roles"]["server"]["series"] if begin["t_s"] <= s["t_s"] <= end["t_s"]
    ]
    return record.Measurement(
        elapsed_s=result["elapsed_s"],
        throughput_rps=result["throughput_rps"],
        latency_us=_latency(result.get("latency_us"), ok),
        latency_from_send_us=_latency(result.get("latency_from_send_us"), ok),
        send_lag_us=_latency(result.get("send_lag_us"), ok),
        latency_with_lost_us=_with_lost(result.get("latency_with_lost_us")),
        first_byte_us=_latency(result.get("first_byte_us"), ok),
        connect_us=_latency(result.get("connect_us"), result.get("connections_opened") or 0),
        counts=result["counts"],
        # A detail may quote what the server sent.
        errors_detail=[
            {
                key: printable(value) if isinstance(value, str) else value
                for key, value in one.items()
            }
            for one in result.get("errors_detail", [])
        ],
        by_request=[_request(one) for one in result.get("by_request", [])],
        cpu_us_per_request={
            role: (use.user_s + use.system_s) * 1e6 / answered for role, use in cpu.items()
        },
        cpu=cpu,
        memory_bytes=_memory(seen, series, at_start),
        foreign_cpu_share=_foreign(plan, result, cpu),
        generator_foreign_cpu_share=_beside_generator(plan, result, cpu),
        threads_peak=max((s["threads"] for s in series), default=0),
        processes_peak=max((s["processes"] for s in series), default=0),
        context_switches={
            kind: end["roles"]["server"][f"ctx_{kind}"] - begin["roles"]["server"][f"ctx_{kind}"]
            for kind in ("voluntary", "involuntary")
        },
        bytes_received=result["bytes_received"],
        bytes_sent=result["bytes_sent"],
        series=[record.SecondOfLoad.model_validate(_known(second)) for second in result["series"]],
        observations=_observations(series, begin["t_s"], cores["server"]),
        histograms=result.get("histograms", {}),
        generator={
            **{k: generator[k] for k in _OF_GENERATOR if k in generator},
            "connections_opened": result.get("connections_opened"),
            **{k: result[k] for k in _OF_CONNECTIONS if result.get(k)},
            **({"repeated": repeated} if repeated else {}),
            "slices": result.get("slices", 1),
            "slice_s": result.get("slice_s"),
            "watched_exactly": bool(result.get("marked")),
            "watched_s": result["watched_s"],
            "observer_cost_s": seen.get("cost_cpu_s"),
        },
    )


def _generator(seen: dict[str, Any], elapsed_s: float) -> record.CpuUse:
    """The generator's CPU; a generator that does not tell of each thread has but their mean."""
    threads = float(seen["threads"])
    each = seen.get("cpu_seconds_by_thread") or []
    wall = max(elapsed_s, 1e-9)
    return record.CpuUse(
        user_s=seen["cpu_user_s"],
        system_s=seen["cpu_system_s"],
        cores=threads,
        share=seen["cpu_seconds"] / (wall * threads),
        busiest_thread_share=min(1.0, max(each) / wall) if each else None,
    )


def _cpu(begin: Held, end: Held, role: str, wall: float, cores: float) -> record.CpuUse:
    threads = busiest(
        begin.get("threads", {}).get(role, {}), end.get("threads", {}).get(role, {}),
        end["t_s"] - begin["t_s"],
    )  # fmt: skip
    begin, end = begin["roles"][role], end["roles"][role]
    # Totals of floats: of a role that did nothing, the difference may be a hair below zero.
    user, system = (max(0.0, end[key] - begin[key]) for key in ("cpu_user_s", "cpu_system_s"))
    delay = None
    if "run_delay_s" in end and "run_delay_s" in begin:
        delay = max(0.0, end["run_delay_s"] - begin["run_delay_s"])
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


def _foreign(
    plan: TrialPlan, result: dict[str, Any], cpu: dict[str, record.CpuUse]
) -> float | None:
    """Share of the server's cores that nobody in the trial used."""
    placement = plan.placement
    if "generator" in placement.shared:
        return None
    known = ["server", *(role for role in cpu if role not in ("server", "generator"))]
    if not placement.shared and len(known) > 1:
        known = ["server"]
    own = sum(cpu[role].user_s + cpu[role].system_s for role in known)
    foreign = float(result["server_cores_busy_s"]) - own
    return max(0.0, foreign / max(float(result["watched_s"]) * len(placement.server), 1e-9))


def _beside_generator(
    plan: TrialPlan, result: dict[str, Any], cpu: dict[str, record.CpuUse]
) -> float | None:
    """Share of the generator's cores that others used; None where services run there, too."""
    placement = plan.placement
    if placement.shared or (plan.services and placement.services == placement.generator):
        return None
    own = cpu["generator"].user_s + cpu["generator"].system_s
    foreign = float(result["generator_cores_busy_s"]) - own
    return max(0.0, foreign / max(float(result["watched_s"]) * len(placement.generator), 1e-9))


def _latency(data: dict[str, Any] | None, ok: int) -> record.Latency | None:
    if not data or not ok:
        return None
    return record.Latency.model_validate(
        {key: data[key] for key in record.Latency.model_fields if key in data}
    )


def _with_lost(data: dict[str, Any] | None) -> record.LatencyWithLost | None:
    return None if data is None else record.LatencyWithLost.model_validate(data)


def _request(data: dict[str, Any]) -> record.RequestRecord:
    counts = data["counts"]
    return record.RequestRecord(
        name=data["name"], counts=counts, latency_us=_latency(data["latency_us"], counts["ok"])
    )


def _memory(
    seen: dict[str, Any], series: list[dict[str, Any]], at_start: Held | None
) -> record.Memory:
    peak = seen["roles"]["server"]["peak"]
    has_pss = bool(peak.get("pss_bytes"))
    kind = "pss_bytes" if has_pss else "rss_bytes"
    values = [s[kind] for s in series if s.get(kind)]
    idle = seen["marks"][IDLE]["roles"]["server"]
    top = float(peak[kind])
    start = at_start.get(kind) if at_start else None
    return record.Memory(
        start=float(start) if start else None,
        idle=float(idle.get(kind) or idle["rss_bytes"]),
        mean=sum(values) / len(values) if values else top,
        peak=max([top, *map(float, values)]),
        peak_rss=float(peak["rss_bytes"]),
        kind="pss" if has_pss else "rss",
    )


def _observations(
    series: list[dict[str, Any]], begin_s: float, cores: float, most: int = 240
) -> list[record.Observation]:
    """CPU share and memory over the load, thinned to at most about `most` points."""
    step = max(1, len(series) // most)
    kept = series[::step]
    points: list[record.Observation] = []
    for before, now in itertools.pairwise(kept):
        spent = sum(max(0.0, now[key] - before[key]) for key in ("cpu_user_s", "cpu_system_s"))
        width = max(now["t_s"] - before["t_s"], 1e-9)
        points.append(
            record.Observation(
                t_s=round(now["t_s"] - begin_s, 3),
                cpu_share=round(spent / width / cores, 4),
                memory_bytes=now.get("pss_bytes") or now["rss_bytes"],
                threads=now["threads"],
                processes=now["processes"],
            )
        )
    return points


def _known(second: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in second.items() if key in record.SecondOfLoad.model_fields}
