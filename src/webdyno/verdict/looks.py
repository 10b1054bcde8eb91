"""Looking at the data more than once: how the error rate is shared out over the looks."""

from __future__ import annotations

import math
from dataclasses import dataclass

LEAST_BLOCKS = 3
"""Fewer show nothing of how figures vary: two have one difference between them."""

LATE = 3
"""Of 6 late looks the last has 40% of the error rate, of 30 it has 9%."""

RESERVE = 0.05
"""Part of the error rate kept for looks beyond the planned ones, so that a run that goes on for
longer than was foreseen still ends with valid intervals."""


@dataclass(frozen=True)
class Looks:
    """The looks a run may take: after every block from `first` on, `planned` blocks foreseen.

    A run that looks after every block and stops when it likes what it sees finds differences that
    are not there. So each look gets its own share of the permitted error rate, fixed before the
    run, and the shares sum to at most one: by the union bound the intervals of all looks hold
    together, whichever of them the run stops at (the simplest group-sequential design, after Lan &
    DeMets 1983, Biometrika 70, 659-663; that it holds at every look at once makes it time-uniform
    in the sense of Howard et al. 2021, Annals of Statistics 49, 1055-1080).

    The share of look k goes with 1/k: as much for each doubling of the number of blocks, because
    nobody knows beforehand whether 4 blocks will do or 20 are needed. `late` looks are for
    differences that take all the time there is: what the looks up to k may spend together goes with
    the `LATE`th power of k (Kim & DeMets 1987, Biometrika 74, 149-154), so most is left for the
    last. Looks past `planned` divide `RESERVE` between them. `planned` must not depend on results:
    take it from the study, or from the budget and the length of a trial.
    """

    planned: int = 30
    first: int = 3
    late: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.first <= self.planned:
            raise ValueError(f"looks need 2 <= first <= planned, not {self.first}, {self.planned}")

    @property
    def least(self) -> int:
        """Good trials that an entry needs: a run of many blocks may lose some of them."""
        return min(self.first, LEAST_BLOCKS)

    def share(self, look: int) -> float:
        """Part of the error rate for the look after `look` blocks; 0 before `first`."""
        if look < self.first:
            return 0.0
        if look > self.planned:
            # The sum of planned / (k (k - 1)) over all k > planned is one.
            return RESERVE * self.planned / (look * (look - 1))
        if self.late:
            before = (look - 1) / self.planned if look > self.first else 0.0
            return (1 - RESERVE) * ((look / self.planned) ** LATE - before**LATE)
        weights = math.fsum(1 / k for k in range(self.first, self.planned + 1))
        return (1 - RESERVE) / (look * weights)
