"""epoll beside io_uring: where each costs less."""

from collections.abc import Callable
from typing import Any

from benchmarks.load_generators.bench import Bench, Measured
from benchmarks.load_generators.rounds import interleave, median, ratio, ratios
from benchmarks.load_generators.tools import Engine

NAMES = ("epoll", "io_uring")
LOW_RATE = 1_000
HIGH_RATE = 100_000


def reactors(bench: Bench, rounds: int, seconds: int) -> dict[str, Any]:
    """CPU per request of the load alone, and how late sends are, with each reactor."""
    loads: dict[str, Callable[[Engine, int], Any]] = {
        "closed, 64 connections": lambda engine, port: engine.closed(port, 64, seconds),
        "closed, 1,000 connections": lambda engine, port: engine.closed(port, 1_000, seconds),
        "closed, 10,000 connections": lambda engine, port: engine.closed(port, 10_000, seconds),
        f"open, {LOW_RATE:,}/s": lambda engine, port: engine.open(
            port, 64, seconds, LOW_RATE, "uniform"
        ),
        f"open, {HIGH_RATE:,}/s": lambda engine, port: engine.open(
            port, 64, seconds, HIGH_RATE, "uniform"
        ),
    }
    return {name: _one(bench, load, rounds) for name, load in loads.items()}


def _one(bench: Bench, load: Callable[[Engine, int], Any], rounds: int) -> dict[str, Any]:
    with bench.server("instant") as port:

        def candidate(name: str) -> Callable[[], Measured]:
            engine = bench.engine.using(name)
            return lambda: bench.run(engine, load(engine, port))

        results = interleave({name: candidate(name) for name in NAMES}, rounds)

    def cost(measured: Measured) -> float:
        return measured.answer.more["load_cpu_us"]

    return {
        "cpu_us": {name: median(results, name, cost) for name in NAMES},
        "lag_p50_us": {
            name: median(results, name, lambda m: m.answer.more["lag_p50_us"]) for name in NAMES
        },
        "rps": {name: median(results, name, lambda m: m.rps) for name in NAMES},
        "uring_to_epoll": ratio(results, "io_uring", "epoll", cost),
        "uring_to_epoll_all": list(ratios(results, "io_uring", "epoll", cost)),
    }
