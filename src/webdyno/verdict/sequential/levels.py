"""The level of each look at growing data, so that all looks together keep an error rate.

What a look may add to the probability of a false claim is given (`Looks`). Sharing it out as if
looks had nothing in common wastes much of it: the mean of five blocks contains that of four, so
that whoever is not misled by four is seldom misled by five. The levels here account for that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from webdyno.verdict.array import Array

NODES_PER_UNIT = 2.5
"""Nodes of the quadrature for each unit of a boundary; twice as many change a level by 1e-7."""

FEWEST_NODES = 16

HALVINGS = 30
"""Of an interval of a few units: to the last digits of a level that matter."""


class Levels:
    """Two-sided levels of a test repeated after every block, from the block `first` on.

    `spent` is how likely any look up to a block's may be to exceed its level where nothing is to
    be found; it must not fall. The sum of the blocks' differences is a random walk: its density
    among the paths that have exceeded no level so far is carried from look to look by numerical
    integration (Armitage, McPherson & Rowe 1969, JRSS A 132, 235-244; with a spending function:
    Lan & DeMets 1983). Levels of normal means serve for Student's t (Jennison & Turnbull 2000,
    Group Sequential Methods, chapter 11), but its looks are less alike, since each has its own
    variance: `lag` blocks fewer are taken to have been there at each look, so that they seem so
    here, too.
    """

    def __init__(self, spent: Callable[[int], float], first: int, lag: float = 0.0) -> None:
        self._spent, self._first, self._lag = spent, first, lag
        self._levels: list[float] = []
        self._nodes, self._mass = np.zeros(0), np.zeros(0)

    def at(self, look: int) -> float:
        """The level after `look` blocks; 0 before the first."""
        while len(self._levels) <= look - self._first:
            self._next()
        return self._levels[look - self._first] if look >= self._first else 0.0

    def _next(self) -> None:
        # Imported late: scipy costs 0.15 s, which only a command that concludes should pay.
        from scipy.special import ndtr, ndtri

        block = self._first + len(self._levels)
        spent, deviation = self._spent(block), math.sqrt(block - self._lag)
        if not self._levels:
            limit = -float(ndtri(spent / 2))
            self._keep(limit * deviation, lambda x: np.exp(-((x / deviation) ** 2) / 2) / deviation)
        else:
            nodes, mass = self._nodes, self._mass
            more = spent - self._spent(block - 1)

            def excess(limit: float) -> float:
                edge = limit * deviation
                return float(mass @ (ndtr(nodes - edge) + ndtr(-nodes - edge))) - more

            # As if the earlier looks were this one, and as if they had nothing to do with it.
            limit = _root(excess, -float(ndtri(spent / 2)), -float(ndtri(more / 2)))
            self._keep(
                limit * deviation,
                lambda x: np.exp(-((x[:, None] - nodes[None, :]) ** 2) / 2) @ mass,
            )
        self._levels.append(2 * float(ndtr(-limit)))

    def _keep(self, edge: float, density: Callable[[Array], Array]) -> None:
        """Go on with the paths between -`edge` and `edge`; `density` is without its constant."""
        nodes, weights = _quadrature(FEWEST_NODES + int(NODES_PER_UNIT * edge))
        self._nodes = nodes * edge
        self._mass = weights * edge * density(self._nodes) / math.sqrt(2 * math.pi)


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where `falling` is zero between `low` and `high`, by halving: to import scipy's solvers takes
    longer."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


@lru_cache(maxsize=512)
def _quadrature(nodes: int) -> tuple[Array, Array]:
    """Gauss-Legendre nodes and weights on [-1, 1]."""
    return np.polynomial.legendre.leggauss(nodes)
