"""Runs of equal servers, thousands at once: how often a method claims what is not so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unit.verdict.noise import Model
from webdyno.verdict.estimation.intervals import half_widths
from webdyno.verdict.estimation.pairs import paired_differences
from webdyno.verdict.sequential.looks import Looks

Array = NDArray[np.float64]
DOCS = Path(__file__).parents[3] / "docs" / "verdict.md"
ALPHA = 0.05

Method = Callable[[Array, Looks], tuple[Array, Array]]
"""From logarithms [runs, blocks so far, entries] to the ends [runs, pairs] of all intervals."""


def webdyno(
    logs: Array, looks: Looks, ranked: int | None = None, twins: tuple[int, int] | None = None
) -> tuple[Array, Array]:
    """The method of `compare`, before it tightens intervals by each other."""
    pairs = paired_differences(logs, twins=twins)
    entries = ranked or logs.shape[-1]
    family = entries * (entries - 1) // 2
    half = half_widths(pairs, looks.level(logs.shape[-2], ALPHA / family))
    return pairs.mean - half, pairs.mean + half


def runs(
    model: Model, repetitions: int, entries: int, blocks: int, truth: Array, seed: int = 7
) -> Array:
    """Logarithms of what `repetitions` runs would measure of servers with the levels `truth`."""
    rng = np.random.default_rng(seed)
    noise = model(rng, (repetitions, blocks, entries))
    return noise + truth


def watched(
    logs: Array, looks: Looks, method: Method = webdyno
) -> Iterator[tuple[int, Array, Array]]:
    """What a run sees that looks after every block: (blocks, low, high), look by look."""
    for look in range(looks.first, logs.shape[1] + 1):
        low, high = method(logs[:, :look], looks)
        yield look, low, high


def miss_rate(logs: Array, truth: Array, looks: Looks, method: Method = webdyno) -> float:
    """Part of the runs in which at any look any interval missed the true difference. Every false
    claim (faster, slower or equal) is such a miss."""
    first, second = np.triu_indices(logs.shape[2], 1)
    true = truth[first] - truth[second]
    missed = np.zeros(len(logs), dtype=bool)
    for _, low, high in watched(logs, looks, method):
        missed |= ((low > true) | (high < true)).any(axis=1)
    return float(missed.mean())


def most_misses(repetitions: int, allowed: float = ALPHA) -> float:
    """Miss rate that a method which keeps to `allowed` exceeds by chance in one of 100
    simulations."""
    from scipy import stats

    return float(stats.binom.ppf(0.99, repetitions, allowed)) / repetitions


def table_of(heading: str) -> dict[str, list[str]]:
    """First cell to the others, of the first table under `heading` in the docs."""
    text = DOCS.read_text().split(f"\n{heading}\n", 1)[1]
    lines = text[text.index("\n|") :].strip().splitlines()
    body = lines[2 : next((i for i, line in enumerate(lines) if not line.startswith("|")), None)]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in body]
    return {first.strip("`"): others for first, *others in cells}
