"""How evenly a server spread its answers over the connections of a closed load.

Each connection asks again as soon as it is answered. A server that answers some before others gives
them more answers, so quantiles over answers are theirs: ten connections out of 64 that are served
alone have a tenth of the latency, at the same throughput.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel, ConfigDict

ENOUGH_EACH = 10.0
"""Answers for each connection, on average, below which nothing is said of any."""

HELD_UP_S = 0.5
"""So long may a busy machine keep a worker process from all of its connections: 8 of 32, whose
worker waited for a core, had next to no answers in a load of 0.6 s."""

BY_CHANCE = 1 / 20_000
"""What is more likely than this for an honest server is not held against one."""

LEFT_TO_STARVED = 0.1
"""A connection is starved that got less than this part of the average (`spread.rs`)."""

STARVED_SHARE = 0.1
"""Part of the connections whose starving makes it another load than was asked for."""

EVEN_ENOUGH = 0.5
"""Evenness below which latencies are mostly those of half of the connections, or fewer."""

STARVED = "starved"
"""Connections that wait for the others: the load was not the one which was asked for."""

UNEVEN = "uneven"
"""Connections that are served far more often: most latencies are theirs."""

FEW_CONNECTIONS = 16
"""With fewer, worker processes that accept by chance may be as uneven (3 connections and 12)."""


class Spread(BaseModel):
    """Right answers by connection; of HTTP/2, by stream."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    connections: int
    answers_each: float
    """On average."""
    starved: int
    """Connections that got less than a tenth of that."""
    evenness: float
    """Jain's fairness index (Jain, Chiu and Hawe 1984, DEC-TR-301): 1 where all got as many
    answers, k/n where k of n got all."""

    @classmethod
    def of_parts(cls, parts: Sequence[Self]) -> Self | None:
        """That of a load which several machines made; None where no part had answers."""
        if not parts:
            return None
        connections = sum(part.connections for part in parts)
        totals = [part.connections * part.answers_each for part in parts]
        squares = [
            total**2 / (part.connections * part.evenness)
            for total, part in zip(totals, parts, strict=True)
        ]
        return cls(
            connections=connections,
            answers_each=sum(totals) / connections,
            starved=sum(part.starved for part in parts),
            evenness=sum(totals) ** 2 / (connections * sum(squares)),
        )

    def unfairness(self, seconds: float) -> Unfairness | None:
        """What was wrong with it in a load of so many `seconds`; None where an honest server on a
        busy machine may have done it."""
        if self.answers_each < ENOUGH_EACH:
            return None
        # What a connection may expect that was held up, but for that.
        expected = self.answers_each * max(0.0, 1 - HELD_UP_S / max(seconds, 1e-9))
        many = self.starved >= STARVED_SHARE * self.connections
        if many and self._starved_by_chance(expected) <= BY_CHANCE:
            return Unfairness(
                STARVED,
                f"{self.starved} of {self.connections} connections got less than a tenth of the "
                f"{self.answers_each:,.0f} answers that each got on average",
            )
        is_judged = self.connections >= FEW_CONNECTIONS and expected >= ENOUGH_EACH
        if is_judged and self.evenness < EVEN_ENOUGH:
            return Unfairness(
                UNEVEN,
                f"some of the {self.connections} connections got far more answers than others "
                f"(Jain's fairness index {self.evenness:.2f}; 1 is even)",
            )
        return None

    def _starved_by_chance(self, expected: float) -> float:
        """At most so likely are as many connections starved whose answers are Poisson, so many
        `expected` of each: the union bound over the connections, of Chernoff's for each."""
        most = math.ceil(LEFT_TO_STARVED * self.answers_each) - 1
        if expected <= most:
            return 1.0
        exponent = expected - most - most * math.log(expected / max(most, 1))
        which = _log_choices(self.connections, self.starved)
        return math.exp(min(0.0, which - self.starved * exponent))


def _log_choices(of: int, some: int) -> float:
    """The logarithm of the number of ways to choose `some` of so many."""
    return math.lgamma(of + 1) - math.lgamma(some + 1) - math.lgamma(of - some + 1)


@dataclass(frozen=True)
class Unfairness:
    """That a server served some connections before others."""

    fault: str
    """`STARVED` or `UNEVEN`."""
    words: str
    """What was seen."""
