"""The measured load: the generator runs, the observer watches, and both become a `Measurement`."""

from __future__ import annotations

import itertools
import json
import time
from dataclasses import replace
from typing import Any

from webdyno._engine import Observer
from webdyno.generators.base import BEGIN, END, Generator, Job, Progress
from webdyno.generators.engine import Engine
from webdyno.runtime.cpu_time import busy_seconds
from webdyno.runtime.thread_times import busiest
from webdyno.store.records import (
    CpuUse,
    Latency,
    LatencyWithLost,
    Measurement,
    Memory,
    Observation,
    RequestRecord,
    SecondOfLoad,
)
from webdyno.trial.plan import Listener, TrialPlan

START, IDLE = "start", "idle"
"""The observer's marks: at the first answer, after the proof, at the first and at the last moment
of the load."""

Held = dict[str, Any]
"""What a process tree used and held at a mark, by the observer's names."""

_OF_GENERATOR = (
    "threads", "reactor", "cpu_seconds", "cpu_seconds_by_thread", "table", "behind_share",
    "late_own", "late_waited",
)  # fmt: skip

_OF_CONNECTIONS = ("connections_closed_idle", "connections_unsolicited")


def load_and_watch(
    plan: TrialPlan,
    generator: Generator,
    job: Job,
    observer: Observer,
    listener: Listener,
    marks: tuple[str, str] = (BEGIN, END),
) -> dict[str, Any]:
    """Make the load, with a mark of the observer where it begins and where it ends.

    The result also tells how busy the server's and the generator's cores were between the marks,
    whoever used them, and over how long. A generator that does not tell its edges is marked around
    its whole run, in which it also opens its connections. Raises `GeneratorError`.
    """

    def watch(progress: Progress) -> bool:
        listener(
            "progress",
            elapsed_s=progress.elapsed_s,
            rps=progress.rps,
            errors=progress.errors,
            ticks=progress.ticks,
        )
        return False

    cores = CoresClock(plan)
    tells = isinstance(generator, Engine)

    def edge(name: str) -> None:
        observer.mark(marks[0] if name == BEGIN else marks[1])
        (cores.go_on if name == BEGIN else cores.hold)()

    if tells:
        result = generator.run(replace(job, edge=edge), watch)
    else:
        edge(BEGIN)
        result = generator.run(job, watch)
        edge(END)
    return {**result, **cores.seen(), "marked": tells}


class CoresClock:
    """How busy the server's and the generator's cores are while it runs, whoever uses them."""

    def __init__(self, plan: TrialPlan) -> None:
        """It stands still until `go_on`."""
        self._sets = plan.placement.server, plan.placement.generator
        self._busy = [0.0, 0.0]
        self._watched = 0.0
        self._since: tuple[float, list[float]] | None = None

    def go_on(self) -> None:
        """Run."""
        self._since = time.monotonic(), [busy_seconds(cpus) for cpus in self._sets]

    def hold(self) -> None:
        """Stand still; nothing where it does."""
        if self._since is None:
            return
        began, before = self._since
        self._watched += time.monotonic() - began
        now = [busy_seconds(cpus) for cpus in self._sets]
        self._busy = [a + n - b for a, n, b in zip(self._busy, now, before, strict=True)]
        self._since = None

    def seen(self) -> dict[str, float]:
        """What `assemble` takes of it, by the names in a result."""
        return {
            "server_cores_busy_s": self._busy[0],
            "generator_cores_busy_s": self._busy[1],
            "watched_s": self._watched,
        }


def memory_at_start(pid: int, cpu: int) -> Held:
    """What the tree under `pid` holds now, read from core `cpu`.

    By an observer of its own, so that the proof, which may be dear, does not count in the peak of
    the load.
    """
    observer = Observer({"server": pid}, cpu=cpu)
    observer.start()
    try:
        observer.mark(START)
    finally:
        observed = observer.stop()
    held: Held = json.loads(observed)["marks"][START]["roles"]["server"]
    return held


def assemble(
    plan: TrialPlan,
    result: dict[str, Any],
    observed: str,
    marks: tuple[str, str] = (BEGIN, END),
    at_start: Held | None = None,
    repeated: int = 0,
) -> Measurement:
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
    return Measurement(
        elapsed_s=result["elapsed_s"],
        throughput_rps=result["throughput_rps"],
        latency_us=_latency(result.get("latency_us"), ok),
        latency_from_send_us=_latency(result.get("latency_from_send_us"), ok),
        send_lag_us=_latency(result.get("send_lag_us"), ok),
        latency_with_lost_us=_with_lost(result.get("latency_with_lost_us")),
        first_byte_us=_latency(result.get("first_byte_us"), ok),
        connect_us=_latency(result.get("connect_us"), result.get("connections_opened") or 0),
        counts=result["counts"],
        errors_detail=result.get("errors_detail", []),
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
        series=[SecondOfLoad.model_validate(_known(second)) for second in result["series"]],
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


def _generator(seen: dict[str, Any], elapsed_s: float) -> CpuUse:
    """The generator's CPU; a generator that does not tell of each thread has but their mean."""
    threads = float(seen["threads"])
    each = seen.get("cpu_seconds_by_thread") or []
    wall = max(elapsed_s, 1e-9)
    return CpuUse(
        user_s=seen["cpu_user_s"],
        system_s=seen["cpu_system_s"],
        cores=threads,
        share=seen["cpu_seconds"] / (wall * threads),
        busiest_thread_share=min(1.0, max(each) / wall) if each else None,
    )


def _cpu(begin: Held, end: Held, role: str, wall: float, cores: float) -> CpuUse:
    threads = busiest(
        begin.get("threads", {}).get(role, {}), end.get("threads", {}).get(role, {}),
        end["t_s"] - begin["t_s"],
    )  # fmt: skip
    begin, end = begin["roles"][role], end["roles"][role]
    user = end["cpu_user_s"] - begin["cpu_user_s"]
    system = end["cpu_system_s"] - begin["cpu_system_s"]
    delay = None
    if "run_delay_s" in end and "run_delay_s" in begin:
        delay = max(0.0, end["run_delay_s"] - begin["run_delay_s"])
    # More than all of them is no share: then the load lasted longer than its generator says.
    wall = max(wall, (user + system) / cores)
    return CpuUse(
        user_s=user,
        system_s=system,
        cores=cores,
        share=(user + system) / max(wall * cores, 1e-9),
        run_delay_s=delay,
        busiest_thread_share=threads[0] if threads else None,
        busiest_thread_ready_share=threads[1] if threads else None,
    )


def _foreign(plan: TrialPlan, result: dict[str, Any], cpu: dict[str, CpuUse]) -> float | None:
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
    plan: TrialPlan, result: dict[str, Any], cpu: dict[str, CpuUse]
) -> float | None:
    """Share of the generator's cores that others used; None where services run there, too."""
    placement = plan.placement
    if placement.shared or (plan.services and placement.services == placement.generator):
        return None
    own = cpu["generator"].user_s + cpu["generator"].system_s
    foreign = float(result["generator_cores_busy_s"]) - own
    return max(0.0, foreign / max(float(result["watched_s"]) * len(placement.generator), 1e-9))


def _latency(data: dict[str, Any] | None, ok: int) -> Latency | None:
    if not data or not ok:
        return None
    return Latency.model_validate({key: data[key] for key in Latency.model_fields if key in data})


def _with_lost(data: dict[str, Any] | None) -> LatencyWithLost | None:
    return None if data is None else LatencyWithLost.model_validate(data)


def _request(data: dict[str, Any]) -> RequestRecord:
    counts = data["counts"]
    return RequestRecord(
        name=data["name"], counts=counts, latency_us=_latency(data["latency_us"], counts["ok"])
    )


def _memory(seen: dict[str, Any], series: list[dict[str, Any]], at_start: Held | None) -> Memory:
    peak = seen["roles"]["server"]["peak"]
    has_pss = bool(peak.get("pss_bytes"))
    kind = "pss_bytes" if has_pss else "rss_bytes"
    values = [s[kind] for s in series if s.get(kind)]
    idle = seen["marks"][IDLE]["roles"]["server"]
    top = float(peak[kind])
    start = at_start.get(kind) if at_start else None
    return Memory(
        start=float(start) if start else None,
        idle=float(idle.get(kind) or idle["rss_bytes"]),
        mean=sum(values) / len(values) if values else top,
        peak=max([top, *map(float, values)]),
        peak_rss=float(peak["rss_bytes"]),
        kind="pss" if has_pss else "rss",
    )


def _observations(
    series: list[dict[str, Any]], begin_s: float, cores: float, most: int = 240
) -> list[Observation]:
    """CPU share and memory over the load, thinned to at most about `most` points."""
    step = max(1, len(series) // most)
    kept = series[::step]
    points: list[Observation] = []
    for before, now in itertools.pairwise(kept):
        spent = sum(now[key] - before[key] for key in ("cpu_user_s", "cpu_system_s"))
        width = max(now["t_s"] - before["t_s"], 1e-9)
        points.append(
            Observation(
                t_s=round(now["t_s"] - begin_s, 3),
                cpu_share=round(spent / width / cores, 4),
                memory_bytes=now.get("pss_bytes") or now["rss_bytes"],
                threads=now["threads"],
                processes=now["processes"],
            )
        )
    return points


def _known(second: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in second.items() if key in SecondOfLoad.model_fields}
