"""Interleaved repetitions, and the medians of paired ratios.

Every round runs every candidate once, in an order drawn anew, so that what else the machine does
falls on all alike. Ratios are taken within a round.
"""

import random
import statistics
from collections.abc import Callable, Mapping, Sequence

from benchmarks.load_generators.bench import Measured
from webdyno.runtime.processes.pinned import Failed

Rounds = list[dict[str, Measured]]


def interleave(candidates: Mapping[str, Callable[[], Measured]], rounds: int) -> Rounds:
    """Runs all candidates `rounds` times; one that fails is told and left out of that round."""
    order = random.Random(1)
    results: Rounds = []
    for number in range(rounds):
        names = order.sample(sorted(candidates), len(candidates))
        results.append({})
        for name in names:
            try:
                results[-1][name] = candidates[name]()
            except (Failed, ValueError, KeyError) as wrong:
                print(f"round {number + 1}: {name}: {wrong}", flush=True)
    return results


def median(rounds: Rounds, name: str, of: Callable[[Measured], float]) -> float | None:
    """The median of a candidate's figure, `None` if it never ran."""
    values = [of(measured[name]) for measured in rounds if name in measured]
    return statistics.median(values) if values else None


def ratios(rounds: Rounds, name: str, to: str, of: Callable[[Measured], float]) -> Sequence[float]:
    """A candidate's figure by another's, in each round that has both."""
    both = [measured for measured in rounds if name in measured and to in measured]
    return sorted(
        of(measured[name]) / of(measured[to]) for measured in both if of(measured[to]) > 0
    )


def ratio(rounds: Rounds, name: str, to: str, of: Callable[[Measured], float]) -> float | None:
    """The median of the ratios."""
    values = ratios(rounds, name, to, of)
    return statistics.median(values) if values else None
