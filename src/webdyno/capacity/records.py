"""What planning yields, for reports and for whoever turns machines into money."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from pydantic import WrapSerializer

from webdyno.store.document import described
from webdyno.store.record import FigureOrNan


def _without_point(count: float | None, write: Callable[[float | None], object]) -> object:
    """A count of machines as documents hold it, without a decimal point."""
    return count if isinstance(count, int) else write(count)


@described
@dataclass(frozen=True)
class MachineCount:
    """How many machines of a kind are needed. The interval is that of the measured capacity, from
    block to block; both ends are None where one block alone was measured."""

    needed: int | None
    """None where no number of machines would do."""
    low: int | None = None
    """Lower end of its interval."""
    high: Annotated[float | None, WrapSerializer(_without_point)] = None
    """Upper end of its interval; infinite where the data does not bound it."""
    at_most: bool = False
    """Whether fewer may do, since a machine may handle more than it was seen to."""


@described
@dataclass(frozen=True)
class Rate:
    """Requests per second that one machine handles, with the ends of its interval where there is
    one."""

    rps: float
    """Requests per second."""
    low: float | None = None
    """Lower end of its interval."""
    high: float | None = None
    """Upper end of its interval; infinite where the machine held all that was asked of it."""

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


@described
@dataclass(frozen=True)
class Hour:
    """An hour of the day on one machine."""

    rate_rps: float
    """Requests per second."""
    utilisation: float
    """Part of what the machine can do: 0.75 is 75%."""
    latency_s: FigureOrNan
    """At the objective's quantile, in seconds."""


@described
@dataclass(frozen=True)
class Plan:
    """One server under one scenario and load: what it handles, and how many of it are needed."""

    entry: str
    """The server, with its variant."""
    scenario: str
    """The work."""
    load: str
    """That it was measured under."""
    blocks: int
    """Blocks that it was measured in."""
    throughput: Rate
    """As measured."""
    published: MachineCount
    """By the rule of the write-up, from the measured throughput."""
    simulated: Rate | None
    """The rate at which the simulated queue of one machine still meets the objective."""
    machines: MachineCount
    """What the demand at the day's peak needs at the simulated rate."""
    error_share: float
    """Part of the measured requests that failed."""
    reason: str = ""
    """Why a number is missing."""
    searched: Rate | None = None
    """The rate that trials of a load of kind objective found for the same objective, where the run
    has such."""
    day: tuple[Hour, ...] = ()
    """The simulated day of one of these machines, from the busiest hour on."""
    limited_by_generator: bool = False
    """Whether the load generator was the limit: the server can do at least this."""
    stalled_share: float = 0.0
    """Part of its users' time in answers beyond the objective's bound that may come at once."""
