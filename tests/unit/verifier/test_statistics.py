"""Tests of randomness: honest draws pass at the stated rate, dishonest ones do not."""

from __future__ import annotations

from random import Random

import pytest

from webdyno.verifier import statistics
from webdyno.verifier.statistics import chained, ends, repeated, too_often, uneven

pytestmark = pytest.mark.slow


def draws(random: Random, number: int = 2000, cells: int = 1001) -> list[int]:
    return [random.randrange(cells) for _ in range(number)]


def pages(random: Random, number: int = 60) -> list[int]:
    return [post for _ in range(number) for post in random.sample(range(50), 5)]


@pytest.mark.parametrize("kind", ["values", "steps", "pages"])
def test_false_alarms_come_at_the_stated_rate(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Both tails at 1%: about 40 alarms in 2,000 honest trials. Where cells are joined pairs are
    counted as well: about 60."""
    monkeypatch.setattr(statistics, "ALARM", 0.01)
    random = Random(20)
    alarms = 0
    for _ in range(2000):
        if kind == "values":
            problem = uneven(draws(random, 600), 1001, drawn="values")
        elif kind == "steps":
            problem = chained(draws(random, 600), 1001, lag=3, drawn="values")
        else:
            problem = uneven(pages(random), 50, drawn="posts", without_replacement=5)
        alarms += problem is not None
    assert 20 <= alarms <= (65 if kind == "pages" else 90)


def test_honest_draws_are_never_accused() -> None:
    random = Random(21)
    for _ in range(300):
        values = draws(random)
        assert uneven(values, 1001, drawn="values") is None
        assert chained(values, 1001, drawn="values") is None
        assert ends(values, 0, 1000) is None


@pytest.mark.parametrize("number", [0, 1, 2, 5, 20, 100])
def test_few_values_are_never_accused_of_being_uneven(number: int) -> None:
    assert uneven([0] * number, 1001, drawn="values") is None or number >= 35


def test_a_missing_eighth_of_the_range_is_uneven() -> None:
    problem = uneven(draws(Random(22), 2000, 876), 1001, drawn="the values")
    assert problem is not None
    assert problem.startswith("the values are not uniform: one of ")
    assert "expected (chi-square" in problem


@pytest.mark.parametrize("number", [500, 2000])
def test_cells_that_never_come_show_although_others_beside_them_do(number: int) -> None:
    """Drawn from each neighbourhood as often, but from one in five of its values alone."""
    values = [value - value % 5 for value in draws(Random(26), number, 10_000)]
    problem = uneven(values, 10_000, drawn="the values")
    assert problem is not None
    assert f"pairs of {number} are alike, where about" in problem


def test_values_in_turn_are_too_even() -> None:
    problem = uneven(list(range(1001)) * 2, 1001, drawn="the values")
    assert problem is not None
    assert "too even to be random" in problem


@pytest.mark.parametrize("lag", [1, 5, 10])
def test_a_value_used_again_shows_at_its_lag(lag: int) -> None:
    values = draws(Random(23))
    for place in range(lag, len(values), 2 * lag):
        values[place : place + lag] = values[place - lag : place]
    assert chained(values, 1001, lag=lag, drawn="values") is not None


def test_both_ends_are_asked_for_when_there_are_values_enough() -> None:
    random = Random(24)
    assert ends([random.randrange(0, 1001) for _ in range(22_000)], 0, 1000) is None
    problem = ends([random.randrange(0, 1000) for _ in range(22_000)], 0, 1000)
    assert (
        problem == "the largest of 22000 values is 999, too far from the end of the range 0..1000"
    )
    problem = ends([random.randrange(1, 1001) for _ in range(22_000)], 0, 1000)
    assert problem == "the smallest of 22000 values is 1, too far from the end of the range 0..1000"


def test_few_values_need_not_reach_the_ends() -> None:
    assert ends([500], 0, 1000) is None
    assert ends([], 0, 1000) is None
    assert ends([480 + place % 40 for place in range(200)], 0, 1000) is not None


def test_luck_is_told_from_habit() -> None:
    assert not too_often(0, 0, 0.04)
    assert not too_often(12, 250, 0.04)
    assert too_often(250, 250, 0.04)
    assert not too_often(1, 1770, 1 / 2_118_760)
    assert too_often(6, 1770, 1 / 2_118_760)


def test_the_first_item_that_comes_again_is_named() -> None:
    assert repeated([1, 2, 3, 2, 1]) == 2
    assert repeated("abc") is None
