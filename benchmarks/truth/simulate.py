"""A simulation of an open load: exact send times, and no cost of sending or receiving."""

import heapq
import math
import random
from collections.abc import Callable, Sequence

from benchmarks.truth.models import Model

QUANTILES = (0.5, 0.95, 0.99, 0.999)


def arrivals(kind: str, rate: float, seconds: float, seed: int) -> list[float]:
    """When requests are due: evenly spaced (`uniform`), or at random (`poisson`)."""
    count = round(rate * seconds)
    if kind == "uniform":
        return [(number + 0.5) / rate for number in range(count)]
    draw = random.Random(seed)
    return sorted(draw.random() * seconds for _ in range(count))


def latencies(due: Sequence[float], model: Model, connections: int) -> list[float]:
    """Seconds from when each request was due until it was answered.

    A due request takes the connection that is free first, and waits for it where none is.
    """
    free = [0.0] * connections
    measured = []
    for time in due:
        sent = max(time, heapq.heappop(free))
        answered = model(sent)
        heapq.heappush(free, answered)
        measured.append(answered - time)
    return measured


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the `ordered` values do not exceed."""
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]


def truth(
    kind: str, rate: float, seconds: float, make: Callable[[], Model], connections: int
) -> dict[float, float]:
    """Quantiles in ms: of the one uniform schedule, or the median of nine Poisson ones."""
    runs = []
    for seed in range(9 if kind == "poisson" else 1):
        due = arrivals(kind, rate, seconds, seed)
        runs.append(list(truth_of(due, make(), connections).values()))
    middle = [sorted(column)[len(runs) // 2] for column in zip(*runs, strict=True)]
    return dict(zip(QUANTILES, middle, strict=True))


def truth_of(due: Sequence[float], model: Model, connections: int) -> dict[float, float]:
    """Quantiles in ms of requests due at these times."""
    ordered = sorted(latencies(due, model, connections))
    return {share: 1000 * quantile(ordered, share) for share in QUANTILES}
