"""CPU per request, throughput and memory, under a full closed load and at a low rate."""

from collections.abc import Callable
from typing import Any

from benchmarks.load_generators.bench import Bench, Measured
from benchmarks.load_generators.rounds import interleave, median, ratio, ratios
from benchmarks.load_generators.tools import Command, Tool
from webdyno.runtime.processes.pinned import Failed

CONNECTIONS = 64
LOW_RATE = 1000


def closed(bench: Bench, rounds: int, seconds: int) -> dict[str, Any]:
    """Every tool on 64 connections of the minimal server, as fast as it goes."""
    with bench.server("instant") as port:

        def candidate(tool: Tool) -> Callable[[], Measured]:
            return lambda: bench.run(tool, tool.closed(port, CONNECTIONS, seconds))

        results = interleave({tool.name: candidate(tool) for tool in bench.tools}, rounds)
    rows = {}
    for tool in bench.tools:
        name = tool.name
        rows[name] = {
            "cpu_us": median(results, name, lambda measured: measured.cpu_us),
            "cpu_to_floor": ratio(results, name, "floor", lambda measured: measured.cpu_us),
            "engine_cpu_to_it": ratio(results, "engine", name, lambda measured: measured.cpu_us),
            "engine_cpu_to_it_all": list(
                ratios(results, "engine", name, lambda measured: measured.cpu_us)
            ),
            "rps": median(results, name, lambda measured: measured.rps),
            "rps_to_engine": ratio(results, name, "engine", lambda measured: measured.rps),
            "peak_bytes": median(results, name, lambda measured: measured.peak_bytes),
            "pushed_off": median(results, name, lambda measured: measured.pushed_off),
            "runs": sum(name in measured for measured in results),
        }
    return {"connections": CONNECTIONS, "seconds": seconds, "rounds": rounds, "tools": rows}


def low_rate(bench: Bench, rounds: int, seconds: int) -> dict[str, Any]:
    """CPU per request at 1,000/s, of what a longer run costs more than a short one.

    The difference takes out what starting costs, which at a low rate is much of a short run.
    """
    with bench.server("instant") as port:

        def command(tool: Tool, length: int) -> Command | None:
            return tool.open(port, CONNECTIONS, length, LOW_RATE, "uniform")

        def candidate(tool: Tool) -> Callable[[], Measured]:
            def once() -> Measured:
                short, long = command(tool, 1), command(tool, 1 + seconds)
                if short is None or long is None:
                    raise Failed(f"{tool.name}: no open load")
                one, other = bench.run(tool, short), bench.run(tool, long)
                more = other.answer.requests - one.answer.requests
                if more <= 0:
                    raise Failed(f"{tool.name}: the longer run answered no more")
                spent = other.cpu_us * other.answer.requests - one.cpu_us * one.answer.requests
                return Measured(other.answer, spent / more, other.peak_bytes, other.pushed_off)

            return once

        able = [tool for tool in bench.tools if command(tool, 1)]
        results = interleave({tool.name: candidate(tool) for tool in able}, rounds)
    return {
        "rate": LOW_RATE,
        "rounds": rounds,
        "tools": {
            tool.name: {
                "cpu_us": median(results, tool.name, lambda measured: measured.cpu_us),
                "engine_cpu_to_it": ratio(
                    results, "engine", tool.name, lambda measured: measured.cpu_us
                ),
            }
            for tool in able
        },
        "engine_lag_p50_us": median(results, "engine", lambda m: m.answer.more["lag_p50_us"]),
        "engine_lag_p999_us": median(results, "engine", lambda m: m.answer.more["lag_p999_us"]),
    }
