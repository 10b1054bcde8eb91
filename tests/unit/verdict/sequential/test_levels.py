"""Levels of repeated looks: published ones, an oracle, and what they never exceed."""

import math

import numpy as np
import pytest
from scipy import stats

from webdyno.verdict.sequential.levels import Levels
from webdyno.verdict.sequential.looks import LAG, Looks


def limits(levels, looks):
    return [stats.norm.isf(levels.at(look) / 2) for look in looks]


def test_they_are_those_of_the_literature():
    """O'Brien and Fleming's limits for five looks, by the spending function of Lan & DeMets: such
    as in Proschan, Lan & Wittes 2006, Statistical Monitoring of Clinical Trials, table 5.1."""
    half = stats.norm.isf(0.0125)
    levels = Levels(lambda look: 4 * stats.norm.sf(half / math.sqrt(look / 5)), first=1)
    assert limits(levels, range(1, 6)) == pytest.approx(
        [4.877, 3.357, 2.680, 2.290, 2.031], abs=2e-3
    )


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("rate", [0.05, 0.004])
def test_all_looks_together_spend_what_they_may(late, rate):
    """Against scipy's integral over the joint normal distribution of all looks. Early looks have no
    more than their shares, so that together they spend less."""
    looks = Looks(6, late=late)
    blocks = np.arange(3, 7)
    limit = np.array([stats.norm.isf(looks.level(look, rate) / 2) for look in blocks])
    times = blocks - LAG
    together = np.sqrt(np.minimum.outer(times, times) / np.maximum.outer(times, times))
    inside = stats.multivariate_normal(np.zeros(4), together, abseps=2e-6, releps=1e-5).cdf(
        limit, lower_limit=-limit
    )
    spent = rate * looks.spent(6)
    assert 1 - inside == pytest.approx(spent, rel=0.01) if late else 1 - inside < 0.95 * spent


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("planned", [3, 6, 30, pytest.param(200, marks=pytest.mark.slow)])
def test_a_look_has_more_than_it_spends_and_less_than_all_have(planned, late):
    looks, rate = Looks(planned, late=late), 0.01
    for look in range(3, planned + 1):
        spent = rate * looks.share(look)
        assert (
            spent * (1 - 1e-9) <= looks.level(look, rate) <= rate * looks.spent(look) * (1 + 1e-9)
        )
    assert looks.level(2, rate) == 0
    assert looks.level(3, rate) == pytest.approx(rate * looks.share(3))
    assert looks.level(planned + 1, rate) == pytest.approx(rate * looks.share(planned + 1))


def test_the_gain_of_the_last_look():
    """As docs/verdict.md has it."""
    looks = Looks(6, late=True)
    assert looks.share(6) == pytest.approx(0.57, abs=0.005)
    assert looks.level(6, 0.03) / 0.03 == pytest.approx(0.75, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("late", "planned", "rate"),
    [(False, 8, 0.05), (True, 8, 0.05), (True, 6, 0.03), (True, 8, 0.03)],
)
def test_t_intervals_at_these_levels_keep_the_error_rate(late, planned, rate):
    """Levels of normal means, used for Student's t from three blocks on."""
    rng = np.random.default_rng(3)
    runs, looks = 400_000, Looks(planned, late=late)
    values = rng.standard_normal((runs, planned))
    sums, squares = values.cumsum(axis=1), (values**2).cumsum(axis=1)
    missed = np.zeros(runs, dtype=bool)
    for look in range(3, planned + 1):
        mean = sums[:, look - 1] / look
        variance = (squares[:, look - 1] - look * mean**2) / (look - 1)
        t = mean / np.sqrt(variance / look)
        missed |= np.abs(t) > stats.t.isf(looks.level(look, rate) / 2, look - 1)
    assert missed.mean() <= rate
