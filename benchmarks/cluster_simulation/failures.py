"""How often a load is lost because one of its machines is."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Hazard:
    """A machine is lost once in `hours` on average (its process, its power, its link)."""

    name: str
    hours: float


HAZARDS = (
    Hazard("owned machines: once a year", 365 * 24),
    Hazard("rented ones: once a month", 30 * 24),
    Hazard("preemptible ones: once a day", 24),
)


def lost(hazard: Hazard, agents: int, seconds: float) -> float:
    """The share of loads of so many seconds that lose an agent."""
    return -math.expm1(-agents * seconds / 3600 / hazard.hours)


def whole_run(hazard: Hazard, agents: int, seconds: float, loads: int) -> float:
    """The share of runs of so many loads that come through without losing any."""
    return math.exp(-agents * seconds * loads / 3600 / hazard.hours)
