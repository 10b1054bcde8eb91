"""The rate that one machine carries within an objective, by simulation of its busiest hour."""

from __future__ import annotations

import numpy as np

from webdyno.capacity.objective import CapacityObjective
from webdyno.capacity.queue import Discipline, sojourn_times
from webdyno.capacity.records import Hour
from webdyno.capacity.service import MeasuredService
from webdyno.capacity.traffic import DayCurve

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


def carried_rps(
    service: MeasuredService,
    objective: CapacityObjective,
    curve: DayCurve,
    discipline: Discipline,
    seed: int,
) -> float:
    """The highest rate at the day's peak, in requests/s, at which one machine meets `objective`.

    0 where it does not even at a hundredth of its throughput. The search halves the utilisation's
    range, on the same arrivals and work each time (common random numbers), to about 1%.
    """

    def meets(utilisation: float) -> bool:
        rate = utilisation * service.throughput_rps
        return busiest_hour(service, objective, rate, curve, discipline, seed) <= objective.bound_s

    if meets(FULLEST):
        return FULLEST * service.throughput_rps
    low, high = 0.01, FULLEST
    if not meets(low):
        return 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if meets(middle):
            low = middle
        else:
            high = middle
    return low * service.throughput_rps


def busiest_hour(
    service: MeasuredService,
    objective: CapacityObjective,
    peak_rps: float,
    curve: DayCurve,
    discipline: Discipline,
    seed: int,
) -> float:
    """The objective's quantile of the latency, in seconds, in the hour around the day's peak."""
    days = (-_HOUR / 2, _HOUR / 2)
    hour = window(service, peak_rps, curve, days, discipline, seed, requests_for(objective))
    return float(np.quantile(hour, objective.quantile))


def requests_for(objective: CapacityObjective) -> int:
    """How many requests show the latency at the objective's quantile."""
    return max(REQUESTS, round(BEYOND / (1 - objective.quantile)))


def window(
    service: MeasuredService,
    peak_rps: float,
    curve: DayCurve,
    days: tuple[float, float],
    discipline: Discipline,
    seed: int,
    requests: int,
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Latencies of a stretch of the day, in seconds, of about so many `requests`.

    The stretch runs in less time than it takes on the clock, at its own rates: the queue forgets
    within seconds, the day's curve moves within hours, so that a shorter hour is the same hour.
    """
    random = np.random.default_rng(seed)
    mean = peak_rps / curve.peak
    begin, end = days
    middle = mean * curve.at((begin + end) / 2)
    length = (requests + WARM_UP) / middle
    arrivals = curve.arrivals(mean, begin, end, length, random)
    stayed = sojourn_times(
        arrivals, service.work_s(arrivals.size, random), service.cores, discipline
    )
    return stayed[min(WARM_UP, stayed.size // 2) :]


def day(
    service: MeasuredService,
    objective: CapacityObjective,
    peak_rps: float,
    curve: DayCurve,
    discipline: Discipline,
    seed: int,
) -> tuple[Hour, ...]:
    """A machine's day, hour by hour from the one around its peak, where it has `peak_rps`."""
    hours, requests = [], round(HOURLY * requests_for(objective))
    for hour in range(13):
        begin = hour * _HOUR - _HOUR / 2
        days = (begin, begin + _HOUR)
        latencies = window(service, peak_rps, curve, days, discipline, seed + hour, requests)
        rate = peak_rps / curve.peak * curve.at(begin + _HOUR / 2)
        hours.append(
            Hour(
                rate,
                rate / service.throughput_rps,
                float(np.quantile(latencies, objective.quantile)),
            )
        )
    # The curve is the same on both sides of its peak.
    return (*hours, *reversed(hours[1:12]))
