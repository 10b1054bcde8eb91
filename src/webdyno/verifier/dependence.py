"""Tests of whether each number of an answer was drawn by itself, or some follow from others.

As in `statistics`, an honest server meets none of their alarms in a million trials.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from webdyno.verifier.statistics import repeats_by_chance, too_many

Answer = Sequence[int]

_SPARE = 16
"""Answers more than there are numbers in each, for sums: seven values, or more, are left to chance
in each of them."""
_SPARE_OF_BITS = 60
"""The same for bits, of which each is left to chance by hardly one half."""


def tied(answers: Sequence[Answer], cells: int) -> str | None:
    """Which number of an answer follows from which other, as by a table; None where none need to.

    Two answers that have one of them in common then have the other as well. Numbers are of
    0..cells-1.
    """
    count = len(answers)
    by_chance = repeats_by_chance(count, 1 / cells**2, 1)
    for i, j in combinations(range(len(answers[0]) if answers else 0), 2):
        repeats = count - len({(answer[i], answer[j]) for answer in answers})
        if too_many(repeats, by_chance):
            return (
                f"numbers {i + 1} and {j + 1} recur together in {repeats} of {count} answers, where"
                f" {by_chance:.2g} are expected: one follows from the other"
            )
    return None


def recurring(answers: Sequence[Answer], cells: int) -> str | None:
    """Which three numbers of an answer come again together in others, as where parts of answers are
    kept and put together anew; None where none need to.

    Whoever uses each part twice shows that in few of these answers, but by chance it hardly ever
    happens to three numbers. They are of 0..cells-1.
    """
    count = len(answers)
    by_chance = repeats_by_chance(count, 1 / cells**3, 1)
    for i, j, k in combinations(range(len(answers[0]) if answers else 0), 3):
        repeats = count - len({(answer[i], answer[j], answer[k]) for answer in answers})
        if too_many(repeats, by_chance):
            return (
                f"numbers {i + 1}, {j + 1} and {k + 1} recur together in {repeats} of {count}"
                f" answers, where {by_chance:.2g} are expected: a part of each was given before"
            )
    return None


def summed(answers: Sequence[Answer], modulus: int) -> str | None:
    """Why a number of each answer is a sum of multiples of others, and of a constant, modulo a
    prime `modulus`; None where it need not be, or where there are too few answers to tell.

    The modulus has to divide the number of cells: honest numbers are then uniform modulo it, too.
    """
    rows = [(*answer, 1) for answer in answers]
    if not rows or len(rows) < len(rows[0]) + _SPARE:
        return None
    free = _rank(rows, modulus)
    wanted = len(rows[0])
    if free == wanted:
        return None
    return f"modulo {modulus}, {wanted - free} of the {wanted - 1} numbers are sums of the others"


def mixed(answers: Sequence[Answer], bits: int) -> str | None:
    """Why some bits of the numbers of each answer, of so many `bits` each, are others combined by
    exclusive or; None where they need not be, or where there are too few answers to tell."""
    width = bits * len(answers[0]) + 1 if answers else 0
    if len(answers) < width + _SPARE_OF_BITS:
        return None
    free = _rank_of_bits(
        1 | sum(number << (1 + bits * place) for place, number in enumerate(answer))
        for answer in answers
    )
    return None if free == width else f"{width - free} of their {width - 1} bits follow from others"


def _rank(rows: Iterable[Sequence[int]], prime: int) -> int:
    """The rank of a matrix over the field of `prime` elements."""
    reduced: dict[int, list[int]] = {}
    for row in rows:
        left = [value % prime for value in row]
        for place in range(len(left)):
            if not left[place]:
                continue
            if place not in reduced:
                inverse = pow(left[place], -1, prime)
                reduced[place] = [value * inverse % prime for value in left]
                break
            factor = left[place]
            left = [(a - factor * b) % prime for a, b in zip(left, reduced[place], strict=True)]
    return len(reduced)


def _rank_of_bits(rows: Iterable[int]) -> int:
    """The same over two elements, each row given as the bits of a number."""
    reduced: dict[int, int] = {}
    for row in rows:
        left = row
        while left and (top := left.bit_length()) in reduced:
            left ^= reduced[top]
        if left:
            reduced[left.bit_length()] = left
    return len(reduced)
