"""Numbers that follow from others are told from numbers that are drawn."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from webdyno.verifier.dependence import Answer, mixed, recurring, summed, tied

LARGEST = 1000
PRIMES = (7, 11, 13)
ANSWERS = 200

Draw = Callable[[], int]


def problems(answers: list[Answer]) -> list[str]:
    """All that is said of `answers`."""
    cells = LARGEST + 1
    found = [tied(answers, cells), recurring(answers, cells), mixed(answers, 10)]
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
        (lambda nine: TABLE[nine[3]], "numbers 4 and 10 recur together"),
        (lambda nine: LARGEST - nine[0], "numbers 1 and 10 recur together"),
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


def half(block: int, number: int) -> Answer:
    """Five numbers that are always the same for these two."""
    draws = random.Random(f"{block}:{number}")
    return [draws.randint(0, LARGEST) for _ in range(5)]


def of_halves(answers: int, uses: int, seen: int) -> list[Answer]:
    """What is `seen`, at random, of so many `answers` that are put together of halves: each of one
    kind with each of the other, in blocks, so that each serves for as many `uses`."""
    draws = random.Random(3)
    found = []
    for place in draws.sample(range(answers), seen):
        block, within = divmod(place, uses**2)
        first, second = divmod(within, uses)
        found.append([*half(block, first), *half(block, uses + second)])
    return found


@pytest.mark.parametrize("uses", [2, 3, 10])
def test_parts_that_were_given_before_show_in_one_answer_of_a_hundred(uses: int) -> None:
    seen = of_halves(200_000, uses, 2000)
    assert len({tuple(answer) for answer in seen}) == len(seen)
    found = recurring(seen, LARGEST + 1)
    assert found is not None
    assert "a part of each was given before" in found


def test_parts_that_are_used_once_are_no_fault() -> None:
    seen = of_halves(200_000, 1, 2000)
    assert tied(seen, LARGEST + 1) is None
    assert recurring(seen, LARGEST + 1) is None
