"""A day's traffic: the published rule, and a curve of the rate over the day.

The rule of the write-up: 80% of a day's page views come within 40% of the day, evenly, so that
requests/s = (80% x daily) / (24 h x 3600 s x 40%), divided among the servers.

The curve has one peak and is smooth and periodic: rate(t) = mean x exp(k cos 2 pi (t - peak)) /
I0(k), with t in days (von Mises' density on the circle of the day; I0 is the modified Bessel
function of order 0). k is chosen so that the curve agrees with the rule, the busiest 40% of the day
holding 80% of the views, or so that its peak is a given multiple of the mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from webdyno.errors import UserError

DAY_S = 86_400.0
BUSY_VIEWS, BUSY_TIME = 0.80, 0.40
"""The published rule: this share of the views comes within this share of the day."""
HIGHEST_PEAK = 20.0


def published_rate_rps(daily: float) -> float:
    """Requests/s that all servers together must carry at `daily` requests, by the published
    rule."""
    return BUSY_VIEWS * daily / (DAY_S * BUSY_TIME)


@dataclass(frozen=True)
class DayCurve:
    """The rate over a day as a multiple of its mean; `concentration` is k, 0 an even day."""

    concentration: float

    @classmethod
    def of_the_rule(cls) -> DayCurve:
        """The curve whose busiest 40% of the day hold 80% of the views."""
        return cls(_solve(lambda k: cls(k).share_within(BUSY_TIME) - BUSY_VIEWS))

    @classmethod
    def with_peak(cls, ratio: float) -> DayCurve:
        """The curve whose peak is `ratio` times its mean. Raises `UserError` out of 1..20."""
        if not 1 <= ratio <= HIGHEST_PEAK:
            raise UserError(
                f"the peak is {ratio:g} times the mean; give from 1 to {HIGHEST_PEAK:g}"
            )
        return cls(0.0 if ratio == 1 else _solve(lambda k: cls(k).peak - ratio))

    @property
    def peak(self) -> float:
        """The highest rate as a multiple of the mean."""
        return self.at(0.0)

    def daily(self, peak_rps: float) -> float:
        """Requests of a day whose highest rate is `peak_rps`."""
        return peak_rps / self.peak * DAY_S

    def at(self, days: float) -> float:
        """The rate `days` from the peak, as a multiple of the mean."""
        k = self.concentration
        return math.exp(k * math.cos(2 * math.pi * days)) / float(np.i0(k))

    def share_within(self, days: float) -> float:
        """The share of the views that come within the busiest `days` of the day."""
        # Midpoints; the curve is smooth, so that this is exact to nine digits.
        steps = 2000
        middles = (np.arange(steps) + 0.5) / steps * days - days / 2
        relative = np.exp(self.concentration * np.cos(2 * np.pi * middles))
        return float(relative.mean() / np.i0(self.concentration)) * days

    def arrivals(
        self,
        mean_rps: float,
        begin_days: float,
        end_days: float,
        length_s: float,
        random: np.random.Generator,
    ) -> npt.NDArray[np.float64]:
        """Arrival times in seconds of a non-homogeneous Poisson process, by thinning.

        The stretch of the day from `begin_days` to `end_days`, within -0.5..0 or 0..1 of the peak
        or around it, runs in `length_s`.
        Lewis and Shedler, "Simulation of nonhomogeneous Poisson processes by thinning", 1979.
        """
        # Away from its peak the curve falls until half a day: the ends hold the highest rate.
        inside = begin_days <= 0 <= end_days
        highest = self.peak if inside else max(self.at(begin_days), self.at(end_days))
        count = random.poisson(mean_rps * highest * length_s)
        times = np.sort(random.uniform(0.0, length_s, count))
        days = begin_days + times / length_s * (end_days - begin_days)
        relative = np.exp(self.concentration * np.cos(2 * np.pi * days)) / np.i0(self.concentration)
        kept: npt.NDArray[np.float64] = times[random.uniform(size=times.size) * highest < relative]
        return kept


def _solve(difference: Callable[[float], float]) -> float:
    # Imported late: scipy costs a tenth of a second, which other commands should not pay.
    from scipy.optimize import brentq

    # The peak is about the root of 2 pi k: 20 times the mean is a k of 64.
    return float(brentq(difference, 1e-9, 100.0, xtol=1e-9))
