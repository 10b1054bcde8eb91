"""Numbers that follow from others are told from numbers that are drawn."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from webdyno.verifier.dependence import Answer, mixed, summed, tied

LARGEST = 1000
PRIMES = (7, 11, 13)
ANSWERS = 200

Draw = Callable[[], int]


def problems(answers: list[Answer]) -> list[str]:
    """All that is said of `answers`."""
    found = [tied(answers, LARGEST + 1), mixed(answers, 10)]
    return [one for one in (*found, *(summed(answers, prime) for prime in PRIMES)) if one]


def of(make: Callable[[Draw], Answer], number: int = ANSWERS, seed: int = 1) -> list[Answer]:
    """So many answers, each made by `make` from draws."""
    draws = random.Random(seed)
    return [make(lambda: draws.randint(0, LARGEST)) for _ in range(number)]


def ten(draw: Draw) -> Answer:
    return [draw() for _ in range(10)]


@pytest.mark.parametrize(
    "number", [0, 1, 2, 20, 100, 200, pytest.param(1000, marks=pytest.mark.slow)]
)
def test_honest_draws_are_never_accused(number: int) -> None:
    for seed in range(5):
        assert problems(of(ten, number, seed)) == []


def nine_and(last: Callable[[Answer], int]) -> Callable[[Draw], Answer]:
    """Nine draws and a number made of them."""

    def make(draw: Draw) -> Answer:
        nine = [draw() for _ in range(9)]
        return [*nine, last(nine)]

    return make


TABLE = random.Random(2).sample(range(LARGEST + 1), LARGEST + 1)


@pytest.mark.parametrize(
    ("last", "says"),
    [
        (lambda nine: TABLE[nine[3]], "numbers 4 and 10 are the same two"),
        (lambda nine: LARGEST - nine[0], "numbers 1 and 10 are the same two"),
        (lambda nine: sum(nine) % 1001, "modulo 7, 1 of the 10 numbers are sums of the others"),
        (
            lambda nine: (2 * nine[0] - 5 * nine[8] + 17) % 1001,
            "modulo 13, 1 of the 10 numbers are",
        ),
        (lambda nine: nine[0] ^ nine[1], "10 of their 100 bits follow from others"),
    ],
)
def test_one_number_that_is_not_drawn_is_enough(last: Callable[[Answer], int], says: str) -> None:
    found = problems(of(nine_and(last)))
    assert any(says in one for one in found), found


def test_fewer_answers_show_less() -> None:
    from_table = nine_and(lambda nine: TABLE[nine[0]])
    assert problems(of(from_table, 100))
    assert problems(of(from_table, 10)) == []
    total = nine_and(lambda nine: sum(nine) % 1001)
    assert problems(of(total, 27))
    assert problems(of(total, 26)) == []
