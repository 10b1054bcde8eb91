"""Two threads of the engine beside one."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.load_generators.bench import Bench, Measured
from benchmarks.load_generators.rounds import interleave, median, ratio
from benchmarks.load_generators.tools import Engine, ToolResult

CONNECTIONS = 64
# Two for the engine's threads, and as many for a server that they cannot exhaust.
CORES = 4


def threads(bench: Bench, rounds: int, seconds: int) -> dict[str, Any]:
    """What a second thread brings on a core of its own, and what it costs on the same core.

    The first wants more cores than a small machine has; there it is refused, and the reason told.
    The second can be told anywhere: threads that share no lock and no line of the cache cost as
    much CPU for a request as one does. Lines of the cache are fought over only between cores, so
    that two threads are also put beside two processes, which share nothing.
    """
    return {
        "same_core_cpu_ratio": _same_core(bench, rounds, seconds),
        "shared_cores_cpu_ratio": _shared_cores(bench, rounds, seconds),
        **_own_core(bench, rounds, seconds),
    }


def _load_cpu_us(measured: Measured) -> float:
    return measured.answer.more["load_cpu_us"]


def _same_core(bench: Bench, rounds: int, seconds: int) -> float | None:
    one = bench.engine
    two = one.on([bench.client_cpu], threads=2)
    with bench.server("instant") as port:
        results = interleave(
            {
                "one": lambda: bench.run(one, one.closed(port, CONNECTIONS, seconds)),
                "two": lambda: bench.run(two, two.closed(port, CONNECTIONS, seconds)),
            },
            rounds,
        )
    return ratio(results, "two", "one", _load_cpu_us)


def _shared_cores(bench: Bench, rounds: int, seconds: int) -> float | None:
    """CPU per request of two threads by that of two processes, on the cores of a server's two."""
    cpus = sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) < 2:
        return None
    two, ones = bench.engine.on(cpus, threads=2), [bench.engine.on([cpu]) for cpu in cpus]

    def processes(port: int) -> Measured:
        def run(engine: Engine) -> Measured:
            return bench.run(engine, engine.closed(port, CONNECTIONS, seconds), set(cpus))

        with ThreadPoolExecutor() as pool:
            both = list(pool.map(run, ones))
        requests = sum(measured.answer.requests for measured in both)
        spent = sum(_load_cpu_us(measured) * measured.answer.requests for measured in both)
        elapsed_s = max(measured.answer.elapsed_s for measured in both)
        answer = ToolResult(requests, elapsed_s, more={"load_cpu_us": spent / requests})
        whole = sum(measured.cpu_us * measured.answer.requests for measured in both) / requests
        peak = sum(measured.peak_bytes for measured in both)
        return Measured(answer, whole, peak, sum(measured.pushed_off for measured in both))

    with bench.server("instant", "threads=2", cpus=set(cpus)) as port:
        results = interleave(
            {
                "threads": lambda: bench.run(
                    two, two.closed(port, 2 * CONNECTIONS, seconds), set(cpus)
                ),
                "processes": lambda: processes(port),
            },
            rounds,
        )
    return ratio(results, "threads", "processes", _load_cpu_us)


def _own_core(bench: Bench, rounds: int, seconds: int) -> dict[str, Any]:
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < CORES:
        return {
            "refused": f"it needs {CORES} cores, two for the engine's threads and two for the "
            f"server; this machine has {len(cpus)}"
        }
    servers, clients = set(cpus[:-2]), cpus[-2:]
    one, two = bench.engine.on(clients[:1]), bench.engine.on(clients, threads=2)
    with bench.server("instant", f"threads={len(servers)}", cpus=servers) as port:
        results = interleave(
            {
                "one": lambda: bench.run(one, one.closed(port, CONNECTIONS, seconds), set(clients)),
                "two": lambda: bench.run(
                    two, two.closed(port, 2 * CONNECTIONS, seconds), set(clients)
                ),
            },
            rounds,
        )
    return {
        "one_rps": median(results, "one", lambda measured: measured.rps),
        "two_rps": median(results, "two", lambda measured: measured.rps),
        "rps_ratio": ratio(results, "two", "one", lambda measured: measured.rps),
        "cpu_ratio": ratio(results, "two", "one", _load_cpu_us),
    }
