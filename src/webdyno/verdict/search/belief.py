"""What is believed of a server's capacity after steps that held or failed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from webdyno.verdict.array import Array

GRID = 0.004
"""Steps of the logarithm of the rate: far finer than any search ends."""

SOFTNESS = np.array([0.005, 0.02, 0.06, 0.2])
"""How soft the border may be, as standard deviations of the logarithm of the rate: a server whose
capacity moves by 2% from second to second holds a rate at its border half of the time."""

SOFTNESS_PRIOR = np.array([0.4, 0.37, 0.18, 0.05])

FALSE_FAILURE = 0.04
"""Chance that a step well below the capacity fails all the same: a stall of the machine."""

FALSE_HOLD = 0.01
"""Chance that a step well above it is held."""

EXPECTED = math.log(0.9)
"""Where the capacity is first looked for, beside the closed loop's throughput."""

SPREAD = 0.15
"""How far from there it is expected to be; the prior has heavy tails, so that a server that does
far less, or more, is found too."""

NEGLIGIBLE = 1e-6
"""Probability of a rate that need not be weighed any more."""

ASKED_AT = (0.025, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.975)
"""Quantiles of the belief that are weighed as the next step's rate."""


@dataclass
class Belief:
    """A probability for each (capacity, softness of the border), updated by each step.

    The method is that of adaptive psychometric tests (QUEST: Watson & Pelli 1983, Perception &
    Psychophysics 33, 113-120; with an unknown slope: Kontsevich & Tyler 1999, Vision Research 39,
    2729-2737): noisy bisection that weighs each answer by how far it can be trusted, so that one
    stall does not send the search to the wrong half.
    """

    logs: Array
    """Logarithms of the rates that the capacity may be."""
    weights: Array
    """Probabilities, [rates, softness]."""

    @classmethod
    def around(cls, probe_rps: float, least_rps: float, most_rps: float) -> Belief:
        """Before any step, from a closed loop's throughput. The first and the last rate stand for
        all below and above."""
        low, high = math.log(least_rps), math.log(most_rps)
        logs = np.linspace(low, high, max(2, math.ceil((high - low) / GRID) + 1))
        from_centre = (logs - math.log(probe_rps) - EXPECTED) / SPREAD
        prior = 1 / (1 + from_centre**2) ** 1.5
        return cls(logs, np.outer(prior / prior.sum(), SOFTNESS_PRIOR))

    def learn(self, rate_rps: float, held: bool, blur: float = 0.0) -> None:
        """Take in a step. `blur` is by how much a rate above the capacity can be held in a step
        that is too short to show it (0.1: 10%)."""
        chance = self._chance(math.log(rate_rps), blur)
        self.weights *= chance if held else 1 - chance
        self.weights /= self.weights.sum()

    def most_telling(self, blur: float = 0.0) -> float:
        """The rate whose step is expected to leave the least entropy about the capacity."""
        asked = [self.quantile(share) for share in ASKED_AT]
        likely = self.weights.sum(axis=1) > NEGLIGIBLE
        rest = Belief(self.logs[likely], self.weights[likely])
        return min(asked, key=lambda rate: rest._entropy_after(math.log(rate), blur))

    def _chance(self, log_rate: float, blur: float) -> Array:
        """How likely a step at that rate is to hold, [rates, softness]."""
        beyond = self.logs[:, None] - log_rate + blur / 2
        normal = _normal(beyond / np.hypot(SOFTNESS, blur / 2))
        return FALSE_HOLD + (1 - FALSE_HOLD - FALSE_FAILURE) * normal

    def _entropy_after(self, log_rate: float, blur: float) -> float:
        chance = self._chance(log_rate, blur)
        left = 0.0
        for joint in (self.weights * chance, self.weights * (1 - chance)):
            marginal = joint.sum(axis=1)
            total = marginal.sum()
            # H of the part, weighed by its probability: sum of -w log(w / total).
            left -= float((marginal * np.log(np.maximum(marginal, 1e-300) / total)).sum())
        return left

    def quantile(self, share: float) -> float:
        """The rate that the capacity does not exceed with probability `share`."""
        cumulative = np.cumsum(self.weights.sum(axis=1))
        place = int(np.searchsorted(cumulative, share))
        if place == 0 or place >= len(self.logs):
            return math.exp(self.logs[min(place, len(self.logs) - 1)])
        below, here = cumulative[place - 1], cumulative[place]
        part = (share - below) / max(here - below, 1e-300)
        return math.exp(self.logs[place - 1] + part * (self.logs[place] - self.logs[place - 1]))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The rates between which the capacity lies with probability `confidence`."""
        rest = (1 - confidence) / 2
        return self.quantile(rest), self.quantile(1 - rest)

    def between(self, low_rps: float, high_rps: float) -> float:
        """Probability that the capacity lies there."""
        inside = (self.logs >= math.log(low_rps)) & (self.logs <= math.log(high_rps))
        return float(self.weights[inside].sum())


def _normal(z: Array) -> Array:
    """Cumulative normal distribution, by its logistic approximation (to 0.01)."""
    chance: Array = 1 / (1 + np.exp(-1.702 * np.clip(z, -40, 40)))
    return chance
