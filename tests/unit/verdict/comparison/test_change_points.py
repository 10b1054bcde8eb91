"""Change-points over runs: false alarms stay rare, and real changes are found where they are."""

import numpy as np
import pytest

from unit.verdict.simulate import most_misses
from webdyno.verdict.comparison.change_points import change_points

pytestmark = pytest.mark.slow

HISTORIES = 150
DRAWS = {
    "gaussian": lambda rng, shape: rng.standard_normal(shape),
    "heavy tails": lambda rng, shape: rng.standard_t(3, shape),
    "skewed": lambda rng, shape: rng.standard_exponential(shape),
    "unlike series": lambda rng, shape: rng.standard_normal(shape) * np.array([1, 1, 3, 0.2, 5, 1]),
}


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("runs", [9, pytest.param(30, marks=pytest.mark.long)])
def test_a_history_without_a_change_rarely_shows_one(name, runs):
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(HISTORIES):
        values = np.exp(0.02 * DRAWS[name](rng, (runs, 6)))
        wrong += any(change_points(values))
    assert wrong / HISTORIES <= most_misses(HISTORIES)


@pytest.mark.parametrize(("runs", "at"), [(12, 6), (20, 14)])
def test_a_change_of_ten_percent_is_found_where_it_is(runs, at):
    rng = np.random.default_rng(6)
    found = false = 0
    for _ in range(60):
        values = np.exp(0.02 * rng.standard_normal((runs, 4)))
        values[at:, 1] *= 0.9
        changed = change_points(values)
        found += any(abs(c.index - at) <= 1 and 0.87 < c.ratio < 0.93 for c in changed[1])
        false += any(changed[place] for place in (0, 2, 3))
    assert found >= 54
    assert false <= 6


def test_two_changes_of_one_series_and_missing_runs():
    rng = np.random.default_rng(7)
    values = np.exp(0.01 * rng.standard_normal((36, 2)))
    values[12:24, 0] *= 1.2
    values[5, 0] = values[30, 1] = np.nan
    changes, none = change_points(values)
    assert [change.index for change in changes] == [12, 24]
    assert changes[0].ratio == pytest.approx(1.2, rel=0.03)
    assert changes[1].ratio == pytest.approx(1 / 1.2, rel=0.03)
    assert none == []


def test_it_is_repeatable_and_says_nothing_of_what_is_too_short():
    values = np.exp(0.02 * np.random.default_rng(8).standard_normal((12, 3)))
    values[6:, 0] *= 0.8
    assert change_points(values) == change_points(values)
    assert change_points(values[:3]) == [[], [], []]
    assert change_points(np.ones((20, 1))) == [[]]
    assert change_points(np.full((20, 1), np.nan)) == [[]]


@pytest.mark.parametrize("name", ["gaussian", "heavy tails", "skewed"])
def test_the_size_and_the_place_of_what_is_found_hold(name):
    rng = np.random.default_rng(1)
    size = place = found = 0
    truth, at = float(np.exp(-0.06)), 10
    for _ in range(60):
        values = np.exp(0.02 * DRAWS[name](rng, (20, 1)))
        values[at:] *= truth
        for change in change_points(values)[0]:
            found += 1
            size += change.low <= truth <= change.high
            place += change.earliest <= at <= change.latest
    assert 30 <= found <= 70
    # A few more than 5% are missed: a change is the likelier to be found the larger it seems.
    assert size >= 0.88 * found
    assert place >= 0.88 * found


def test_a_change_that_stands_out_lies_between_two_runs():
    values = np.exp(0.01 * np.random.default_rng(2).standard_normal((20, 1)))
    values[12:] *= 1.2
    values[11] = np.nan
    (change,) = change_points(values)[0]
    assert (change.earliest, change.index, change.latest) == (12, 12, 12)
