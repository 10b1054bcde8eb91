"""What planning yields, for reports and for whoever turns machines into money."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class MachineCount:
    """How many machines of a kind are needed; `low` and `high` are the ends of its interval.

    The interval is that of the measured capacity, from block to block; both ends are None where
    one block alone was measured. `needed` is None where no number of machines would do; `high` is
    infinite where the data does not bound it. `at_most`: fewer may do, since a machine may handle
    more than it was seen to.
    """

    needed: int | None
    low: int | None = None
    high: float | None = None
    at_most: bool = False


@dataclass(frozen=True)
class Rate:
    """Requests/s that one machine handles, with the ends of its interval where there is one. The
    upper end is infinite where the machine held all that was asked of it."""

    rps: float
    low: float | None = None
    high: float | None = None

    @property
    def at_least(self) -> bool:
        """Whether a machine may handle any number more."""
        return self.high == math.inf

    def machines(self, demand_rps: float) -> MachineCount:
        """How many such machines handle `demand_rps` in all, an even share each."""

        def count(rps: float) -> float:
            # Half a millionth: a demand of exactly N machines must not need N + 1 for rounding.
            return max(1, math.ceil(demand_rps / rps - 5e-7)) if rps > 0 else math.inf

        if self.rps <= 0:
            return MachineCount(None)
        bounded = self.low is not None and self.high is not None
        return MachineCount(
            needed=int(count(self.rps)),
            low=int(count(self.high)) if bounded and self.high else None,
            high=count(self.low) if bounded and self.low is not None else None,
            at_most=self.at_least,
        )


@dataclass(frozen=True)
class Hour:
    """An hour of the day on one machine: `latency_s` is the objective's quantile."""

    rate_rps: float
    utilisation: float
    latency_s: float


@dataclass(frozen=True)
class Plan:
    """One server under one scenario and load: what it handles, and how many of it are needed.

    `published` applies the rule of the write-up to the measured throughput. `simulated` is the
    rate at which the simulated queue of one machine still meets the objective, and `machines` what
    the demand at the day's peak needs of them. `searched` is the rate that trials of a load of kind
    objective found for the same objective, where the run has such. `day` is the simulated day of
    one of these machines, from the busiest hour on. `reason` says why a number is missing.
    """

    entry: str
    scenario: str
    load: str
    blocks: int
    throughput: Rate
    published: MachineCount
    simulated: Rate | None
    machines: MachineCount
    error_share: float
    reason: str = ""
    searched: Rate | None = None
    day: tuple[Hour, ...] = ()
    limited_by_generator: bool = False
    stalled_share: float = 0.0
    """Part of its users' time in answers beyond the objective's bound that may come at once."""
