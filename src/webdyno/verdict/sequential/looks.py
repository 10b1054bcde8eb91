"""Looking at the data more than once: how the error rate is shared out over the looks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from webdyno.verdict.sequential.levels import Levels

LEAST_BLOCKS = 3
"""Fewer show nothing of how figures vary: two have one difference between them."""

LATE = 5
"""Of 6 late looks the last may use up 57% of the error rate, of 30 it may 15%. With the 3rd power
it would be 40%: in simulations of six blocks with an error rate of 3%, a difference of twice what
blocks vary by (standard deviation) is then missed in 13 of 100 runs, not in 10, and one of eight
times as much is found 0.4 blocks sooner."""

RESERVE = 0.05
"""Part of the error rate kept for looks beyond the planned ones, so that a run that goes on for
longer than was foreseen still ends with valid intervals."""


LAG = 2.9
"""Blocks by which looks on Student's t from three blocks on are less alike than on normal means: in
simulations of 4 to 12 looks, all of them together then spend at most 1.05 times an error rate of
0.1%, 1.03 times one of 0.5%, and 1.01 times one of 3% or 5%."""


@dataclass(frozen=True)
class Looks:
    """The looks a run may take: after every block from `first` on, `planned` blocks foreseen.

    A run that looks after every block and stops when it likes what it sees finds differences that
    are not there. So how much of the permitted error rate is spent by which look is fixed before
    the run, and all looks together spend no more than all of it (Lan & DeMets 1983, Biometrika 70,
    659-663). The intervals of all looks hold together, whichever of them the run stops at: they are
    time-uniform in the sense of Howard et al. 2021, Annals of Statistics 49, 1055-1080.

    What look k spends goes with 1/k: as much for each doubling of the number of blocks, because
    nobody knows beforehand whether 4 blocks will do or 20 are needed. `late` looks are for
    differences that take all the time there is: what the looks up to k spend together goes with the
    `LATE`th power of k (Kim & DeMets 1987, Biometrika 74, 149-154), so most is left for the last.
    Looks past `planned` divide `RESERVE` between them. `planned` must not depend on results: take
    it from the study, or from the budget and the length of a trial.
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

    def spent(self, look: int) -> float:
        """Part of the error rate that the looks up to the one after `look` blocks spend together;
        0 before `first`."""
        if look < self.first:
            return 0.0
        if look > self.planned:
            return 1 - RESERVE * self.planned / look
        if self.late:
            return (1 - RESERVE) * (look / self.planned) ** LATE
        return (1 - RESERVE) * self._harmonic(look) / self._harmonic(self.planned)

    def _harmonic(self, look: int) -> float:
        return math.fsum(1 / k for k in range(self.first, look + 1))

    def share(self, look: int) -> float:
        """Part of the error rate that the look after `look` blocks spends."""
        return self.spent(look) - self.spent(look - 1)

    def level(self, look: int, error_rate: float) -> float:
        """The level of the look after `look` blocks, by itself, where all of them keep `error_rate`
        together; 0 before `first`.

        It is what the look spends; of `late` ones more, since whoever was not misled before is
        seldom misled now (`levels`). Early looks leave that gain out: most of it would be spent
        where blocks resemble the block before, against which it is the reserve. So do those past
        `planned`, whose number has no end.
        """
        if not self.late or look > self.planned:
            return error_rate * self.share(look)
        return _levels(self, error_rate).at(look)


@lru_cache(maxsize=256)
def _levels(looks: Looks, error_rate: float) -> Levels:
    lag = min(LAG, looks.first - 0.1)
    return Levels(lambda look: error_rate * looks.spent(look), looks.first, lag)
