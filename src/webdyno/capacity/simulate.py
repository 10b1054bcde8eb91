"""The rate that one machine carries within an objective, by simulation of its busiest hour."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webdyno.capacity.objective import CapacityObjective
from webdyno.capacity.queue import Discipline, sojourn_times
from webdyno.capacity.records import Hour
from webdyno.capacity.service import MeasuredService
from webdyno.capacity.traffic import DayCurve
from webdyno.verdict.array import Array

REQUESTS, BEYOND = 20_000, 50
"""Least number of requests of a simulated busiest hour, and of those beyond the objective's
quantile: a p99 has 200 of them, a p99.9 or higher the least."""
HOURLY = 1 / 4
"""Part of them that each hour of a whole day has."""
WARM_UP = 2_000
"""Requests before those, which only bring the queue into its state."""
HALVINGS = 7
FULLEST = 0.99
"""Beyond this utilisation no length of simulation would show a steady state."""
_HOUR = 1 / 24


@dataclass(frozen=True)
class SimulatedMachine:
    """One machine through a day of so many requests, on the same arrivals and work whatever the
    rate (common random numbers, by `seed`)."""

    service: MeasuredService
    objective: CapacityObjective
    curve: DayCurve
    discipline: Discipline
    seed: int

    def carried_rps(self) -> float:
        """The highest rate at the day's peak, in requests/s, at which it meets the objective.

        0 where it does not even at a hundredth of its throughput. The search halves the
        utilisation's range, to about 1%.
        """

        def meets(utilisation: float) -> bool:
            rate_rps = utilisation * self.service.throughput_rps
            return self.busiest_hour_s(rate_rps) <= self.objective.bound_s

        if meets(FULLEST):
            return FULLEST * self.service.throughput_rps
        low, high = 0.01, FULLEST
        if not meets(low):
            return 0.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if meets(middle):
                low = middle
            else:
                high = middle
        return low * self.service.throughput_rps

    def busiest_hour_s(self, peak_rps: float) -> float:
        """The objective's quantile of the latency, in seconds, in the hour around the day's peak,
        where that is `peak_rps`."""
        around = (-_HOUR / 2, _HOUR / 2)
        hour = self._latencies_s(peak_rps, around, requests_for(self.objective), self.seed)
        return float(np.quantile(hour, self.objective.quantile))

    def day(self, peak_rps: float) -> tuple[Hour, ...]:
        """Its day, hour by hour from the one around its peak, where that is `peak_rps`."""
        hours, requests = [], round(HOURLY * requests_for(self.objective))
        for hour in range(13):
            begin = hour * _HOUR - _HOUR / 2
            days = (begin, begin + _HOUR)
            latencies_s = self._latencies_s(peak_rps, days, requests, self.seed + hour)
            rate_rps = peak_rps / self.curve.peak * self.curve.at(begin + _HOUR / 2)
            hours.append(
                Hour(
                    rate_rps,
                    rate_rps / self.service.throughput_rps,
                    float(np.quantile(latencies_s, self.objective.quantile)),
                )
            )
        # The curve is the same on both sides of its peak.
        return (*hours, *reversed(hours[1:12]))

    def _latencies_s(
        self, peak_rps: float, days: tuple[float, float], requests: int, seed: int
    ) -> Array:
        """Latencies of a stretch of the day, of about so many `requests`.

        The stretch runs in less time than it takes on the clock, at its own rates: the queue
        forgets within seconds, the day's curve moves within hours, so that a shorter hour is the
        same hour.
        """
        random = np.random.default_rng(seed)
        mean_rps = peak_rps / self.curve.peak
        begin, end = days
        length_s = (requests + WARM_UP) / (mean_rps * self.curve.at((begin + end) / 2))
        arrivals = self.curve.arrivals(mean_rps, begin, end, length_s, random)
        work_s = self.service.work_s(arrivals.size, random)
        stayed = sojourn_times(arrivals, work_s, self.service.cores, self.discipline)
        return stayed[min(WARM_UP, stayed.size // 2) :]


def requests_for(objective: CapacityObjective) -> int:
    """How many requests show the latency at the objective's quantile."""
    return max(REQUESTS, round(BEYOND / (1 - objective.quantile)))
