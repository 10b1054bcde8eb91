"""How late the sends of a perfect client would be on this machine, because its cores pause."""

import json
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from benchmarks.load_generators.bench import Bench
from webdyno.runtime.processes import pinned
from webdyno.verdict.array import Array

Span = tuple[float, float]


@dataclass(frozen=True)
class Pauses:
    """Spans, in seconds on the monotonic clock, in which a core did not run what was to run on it;
    they were watched for from `start` on."""

    client: list[Span]
    server: list[Span]
    start: float

    def stalls(self, connections: int, rate: float) -> list[Span]:
        """When no request can be sent: the client is away, or the server has been for so long that
        all connections wait for it."""
        spare = connections / rate
        behind = [(begin + spare, end) for begin, end in self.server if end - begin > spare]
        return merged([*self.client, *behind])


def observe(bench: Bench, seconds: int) -> Pauses:
    """Watches the client's and the server's core at once, while nothing else is run."""

    def watch(cpu: int) -> list[Span]:
        argv = [str(bench.programs / "pauses"), f"seconds={seconds}"]
        found = json.loads(pinned.run(argv, {cpu}).stdout)
        return [(begin / 1e9, (begin + length) / 1e9) for begin, length in found]

    start = time.monotonic()
    with ThreadPoolExecutor() as pool:
        client, server = pool.map(watch, (bench.client_cpu, bench.server_cpu))
    return Pauses(client, server, start)


def merged(spans: Iterable[Span]) -> list[Span]:
    """The union of `spans`, in order."""
    union: list[Span] = []
    for begin, end in sorted(spans):
        if union and begin <= union[-1][1]:
            union[-1] = (union[-1][0], max(union[-1][1], end))
        else:
            union.append((begin, end))
    return union


def lags(stalls: list[Span], start: float, seconds: float, rate: float, most: float) -> Array:
    """Seconds by which each of `rate` evenly spaced sends a second is late.

    A client that can send `most` a second does nothing else, and nothing in a stall: a queue with
    one server that takes holidays (its starts by Lindley's recursion 1952, in time worked).
    """
    due = start + (np.arange(round(rate * seconds)) + 0.5) / rate
    begins, ends = np.array(stalls).reshape(-1, 2).T
    away = np.concatenate(([0.0], np.cumsum(ends - begins)))
    # A clock that stands still in stalls, and where it stands then.
    stands = begins - away[:-1]
    before = np.searchsorted(begins, due, side="right")
    worked = due - away[before]
    inside = before > 0
    inside[inside] = due[inside] < ends[before[inside] - 1]
    worked[inside] = stands[before[inside] - 1]
    served = np.arange(len(due)) / most
    begun = served + np.maximum.accumulate(worked - served)
    # What would begin in a stall begins at its end; a nanosecond is left to rounding.
    late: Array = begun + away[np.searchsorted(stands, begun + 1e-9, side="right")] - due
    return np.maximum(late, 0.0)
