"""What this machine can tell apart, and how long that takes: said before any study is run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from webdyno.run.budget.planned import SENTINEL_S
from webdyno.runtime.machine.place import place
from webdyno.store.document import described
from webdyno.trial.sentinel import twins_apart
from webdyno.verdict.sequential.looks import Looks
from webdyno.verdict.sequential.power import fewest, resolvable

PAIRS = 6
"""Pairs of sentinels that are measured: about 13 seconds."""

TRIAL_S = 4.2
"""What a trial of the study `quick` takes, all steps together."""

DIFFERENCES = (0.10, 0.05, 0.03)
MOST_BLOCKS = 400


@described
@dataclass(frozen=True)
class Forecast:
    """What can be told apart here, and how long that takes."""

    noise: float
    """How much a restarted server's figure varies beside those that take turns with it, as a
    share."""
    entries: int
    """Servers that are compared, beside a control."""
    trial_s: float
    """What a trial takes, in seconds."""
    minutes: dict[float, float | None]
    """By difference, such as 0.05 for 5%; None where it would take hours."""

    def sentence(self) -> str:
        """`A difference of 10% shows in about 4 minutes, 3% in about 25.`"""
        parts = []
        for difference, minutes in self.minutes.items():
            if minutes is None:
                parts.append(f"{difference:.0%} not within {MOST_BLOCKS} blocks")
            elif minutes < 1:
                parts.append(f"{difference:.0%} in under a minute")
            else:
                parts.append(f"{difference:.0%} in about {minutes:.0f} min")
        return (
            f"A restarted server varies by {self.noise:.1%} here, beside others that take turns "
            f"with it. Between {self.entries} of them and a control, with trials of "
            f"{self.trial_s:g} s, a difference shows: "
            f"{', '.join(parts)}."
        )


def measure_forecast(temporary: Path, pairs: int = PAIRS) -> Forecast | None:
    """Let two sentinels take turns, as the servers of a block do, `pairs` times; None where they
    could not be measured."""
    where = place()
    apart = [twins_apart(where, temporary) for _ in range(pairs)]
    found = np.array([one for one in apart if one is not None])
    return forecast(noise_of(found)) if found.size >= 3 else None


def noise_of(apart: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Standard deviation of one figure, on the logarithm, from differences of equal servers."""
    return float(np.sqrt((apart**2).mean() / 2))


def _resolve(difference: float, noise: float, entries: int, blocks: int) -> bool:
    return resolvable(blocks, noise, entries, looks=Looks(planned=blocks)) <= difference


def forecast(noise: float, entries: int = 4, trial_s: float = TRIAL_S) -> Forecast:
    """Minutes until a difference has been found in four of five runs, for a run that is planned for
    so many blocks."""
    block_s = (entries + 1) * trial_s + SENTINEL_S
    minutes: dict[float, float | None] = {}
    for difference in DIFFERENCES:
        blocks = fewest(partial(_resolve, difference, noise, entries), 3, MOST_BLOCKS)
        minutes[difference] = blocks * block_s / 60 if blocks else None
    return Forecast(noise, entries, trial_s, minutes)
