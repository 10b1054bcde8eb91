"""What the engine itself can hold: connections, rates, long runs."""

import statistics
from typing import Any

import numpy as np

from benchmarks.load_generators import pauses
from benchmarks.load_generators.bench import Bench
from benchmarks.load_generators.rounds import interleave, median, ratio

MANY = 10_000
USUAL = 64
SHARE = 0.85


def connections(bench: Bench, rounds: int, seconds: int) -> dict[str, Any]:
    """10,000 connections on one thread beside 64."""
    engine = bench.engine
    with bench.server("instant") as port:
        results = interleave(
            {
                "many": lambda: bench.run(engine, engine.closed(port, MANY, seconds)),
                "usual": lambda: bench.run(engine, engine.closed(port, USUAL, seconds)),
            },
            rounds,
        )
    of = {name: median(results, name, lambda m: m.peak_bytes) for name in ("many", "usual")}
    bytes_each = None
    if of["many"] is not None and of["usual"] is not None:
        bytes_each = (of["many"] - of["usual"]) / (MANY - USUAL)
    return {
        "connections": MANY,
        "bytes_each": bytes_each,
        # Of the load alone: opening 10,000 connections is no part of a request's cost.
        "cpu_ratio": ratio(results, "many", "usual", lambda m: m.answer.more["load_cpu_us"]),
        "ok": median(results, "many", lambda m: m.answer.requests),
        "unanswered": median(
            results, "many", lambda m: m.answer.more["reset"] + m.answer.more["timed_out"]
        ),
    }


def schedule(bench: Bench, rounds: int, seconds: int) -> dict[str, Any]:
    """Whether a rate of 85% of what the closed load reaches is held, and how late sends are.

    Beside each run the cores are watched for as long: `least_lag_p999_us` is how late 99.9% of a
    perfect client's sends would have been then.
    """
    engine, runs = bench.engine, []
    with bench.server("instant") as port:
        for _ in range(rounds):
            most = bench.run(engine, engine.closed(port, USUAL, seconds)).rps
            rate = int(most * SHARE)
            command = engine.open(port, USUAL, seconds, rate, "uniform")
            assert command
            more = bench.run(engine, command).answer.more
            watched = pauses.observe(bench, seconds)
            stalls = watched.stalls(USUAL, rate)
            least = pauses.lags(stalls, watched.start, seconds, rate, most)
            runs.append(
                {
                    "closed_rps": most,
                    "asked_rps": rate,
                    "offered_of_asked": more["offered"] / (rate * seconds),
                    "sent_of_asked": more["sent"] / (rate * seconds),
                    **{key: more[key] for key in ("not_sent", "lag_p50_us", "lag_p999_us")},
                    "stalled_ms": 1000 * sum(end - begin for begin, end in stalls),
                    "least_lag_p999_us": 1e6 * float(np.quantile(least, 0.999)),
                }
            )
    medians = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    return {
        "share": SHARE,
        "seconds": seconds,
        "connections": USUAL,
        "runs": runs,
        "medians": medians,
    }


def length(bench: Bench, seconds: int) -> dict[str, Any]:
    """Peak memory of a run and of one four times as long."""
    engine = bench.engine
    with bench.server("instant") as port:
        peaks = [
            bench.run(engine, engine.closed(port, USUAL, length)).peak_bytes
            for length in (seconds, 4 * seconds)
        ]
    return {"seconds": [seconds, 4 * seconds], "peak_bytes": peaks}
