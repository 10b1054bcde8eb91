"""How servers scale, as a run found it, by the universal scalability law."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from webdyno.store.record import Record


class RangeRecord(Record):
    """An estimate with its interval; `high` is None where the data do not bound it."""

    estimate: float | None
    low: float
    high: float | None


class UslEntry(Record):
    """One server's fit; without one, `reason` says why. `points` are (n, median throughput) and
    `curve` (n, throughput, low, high)."""

    entry: str
    reason: str = ""
    one_rps: RangeRecord | None = None
    sigma: RangeRecord | None = None
    kappa: RangeRecord | None = None
    peak_at: RangeRecord | None = None
    peak_rps: RangeRecord | None = None
    extrapolated: bool = False
    misfit: float | None = None
    blocks: int = 0
    points: list[tuple[float, float]] = Field(default_factory=list)
    curve: list[tuple[float, float, float, float]] = Field(default_factory=list)


class UslRecord(Record):
    """One scenario over a number of connections or cores. `reason` says why nothing was fitted."""

    scenario: str
    over: Literal["connections", "cores"]
    reason: str = ""
    confidence: float
    entries: list[UslEntry] = Field(default_factory=list)
