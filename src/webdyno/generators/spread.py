"""How evenly a server spread its answers over the connections of a closed load.

Each connection asks again as soon as it is answered. A server that answers some before others gives
them more answers, so quantiles over answers are theirs: ten connections out of 64 that are served
alone have a tenth of the latency, at the same throughput.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict

ENOUGH_EACH = 10.0
"""Answers for each connection, on average, of which chance makes fewer than one in 20,000 have
none."""

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

    @property
    def fault(self) -> str:
        """`STARVED` or `UNEVEN`; empty where chance may have done it."""
        if self.answers_each < ENOUGH_EACH:
            return ""
        if self.starved >= STARVED_SHARE * self.connections:
            return STARVED
        uneven = self.connections >= FEW_CONNECTIONS and self.evenness < EVEN_ENOUGH
        return UNEVEN if uneven else ""

    @property
    def words(self) -> str:
        """What was seen, where it is uneven or starves some."""
        if self.fault == STARVED:
            return (
                f"{self.starved} of {self.connections} connections got less than a tenth of the "
                f"{self.answers_each:,.0f} answers that each got on average"
            )
        return (
            f"some of the {self.connections} connections got far more answers than others "
            f"(Jain's fairness index {self.evenness:.2f}; 1 is even)"
        )
