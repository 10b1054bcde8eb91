"""How far apart agents begin: networks and clocks are drawn, the estimate is the program's own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webdyno.cluster.link.clock import Exchange, best, samples_of
from webdyno.cluster.load.one_load import LEAD_OF_AGENT_S, LEAD_S
from webdyno.cluster.merging.validity import LATE_S


@dataclass(frozen=True)
class Network:
    """One way takes `base_s`, and `queue_s` more on average (exponential); one direction of each
    machine's is slower by a constant, up to `unequal_s`."""

    name: str
    base_s: float
    queue_s: float
    unequal_s: float


NETWORKS = (
    Network("one switch", 15e-6, 10e-6, 2e-6),
    Network("a data centre", 100e-6, 60e-6, 30e-6),
    Network("a busy data centre", 150e-6, 800e-6, 100e-6),
    Network("two sites", 5e-3, 500e-6, 1e-3),
)

DRIFT = 50e-6
"""By which quartz clocks run fast or slow, at most."""

WAKES_S = 60e-6
"""How late a thread is through the gate, on average; what is told of it under no other load."""

HELD_UP, HELD_UP_S = 0.002, 0.01
"""So many agents are held up by their machines at the start, for so long on average."""


@dataclass(frozen=True)
class Starts:
    """Of many simulated loads: how far apart the first and last agent began (median and 99%), the
    worst error of a clock beyond its stated uncertainty, and how many were void for being late."""

    skew_s: float
    skew_99_s: float
    beyond_s: float
    uncertainty_s: float
    void: float


def starts(network: Network, agents: int, loads: int, seed: int = 1) -> Starts:
    """Simulate `loads` loads of `agents` agents."""
    draw = np.random.default_rng(seed)
    skews, void, beyond, uncertainties = [], 0, 0.0, []
    samples = samples_of(agents)
    for _ in range(loads):
        began = np.empty(agents)
        late = False
        took_s = 0.0
        for agent in range(agents):
            offset_s = draw.uniform(-1e3, 1e3)
            clock = best(_exchanges(network, offset_s, samples, draw))
            took_s += samples * clock.rtt_median_s
            error_s = clock.offset_s - offset_s
            beyond = max(beyond, abs(error_s) - clock.uncertainty_s)
            uncertainties.append(clock.uncertainty_s)
            # From its exchange to the instant its clock drifts; those asked first drift longest.
            waits_s = LEAD_S + LEAD_OF_AGENT_S * agents + 2 * (agents - agent) / agents * took_s
            drifted_s = draw.uniform(-DRIFT, DRIFT) * waits_s
            wakes_s = draw.exponential(WAKES_S)
            if draw.random() < HELD_UP:
                wakes_s += draw.exponential(HELD_UP_S)
            began[agent] = error_s + drifted_s + wakes_s
            late = late or wakes_s + clock.uncertainty_s > LATE_S
        skews.append(float(began.max() - began.min()))
        void += late
    return Starts(
        skew_s=float(np.median(skews)),
        skew_99_s=float(np.quantile(skews, 0.99)),
        beyond_s=beyond,
        uncertainty_s=float(np.median(uncertainties)),
        void=void / loads,
    )


def _exchanges(
    network: Network, offset_s: float, samples: int, draw: np.random.Generator
) -> list[Exchange]:
    unequal_s = draw.uniform(-network.unequal_s, network.unequal_s)
    ways = network.base_s + draw.exponential(network.queue_s, (samples, 2))
    ways[:, 0] += max(unequal_s, 0.0)
    ways[:, 1] += max(-unequal_s, 0.0)
    found, now_s = [], 1e4
    for there_s, back_s in ways:
        heard_s = now_s + there_s + offset_s
        asked, heard, answered = (
            round(at * 1e9) for at in (now_s, heard_s, now_s + there_s + back_s)
        )
        found.append(Exchange(asked, heard, heard, answered, ours_wall=0, wall=0))
        now_s += there_s + back_s
    return found
