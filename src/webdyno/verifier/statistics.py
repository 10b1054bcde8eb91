"""Tests of randomness with a false-alarm rate so small that an honest server never meets it.

Every trial of every run is tested, so the usual 5% would fail one honest trial in twenty. At
`ALARM` = 1e-9, even a million trials of a hundred tests each raise no false alarm, nine times in
ten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from scipy.special import bdtr, bdtrc, chdtrc, pdtrc

_Item = TypeVar("_Item", bound=Hashable)

ALARM = 1e-9
_MIN_EXPECTED = 5.0


def uneven(
    values: Sequence[int], cells: int, *, drawn: str, without_replacement: int = 1
) -> str | None:
    """Why `values` are not uniform on 0..cells-1, by Pearson's chi-square; None where they may be.

    Both tails count: values more even than chance allows, as from a counter, are not random
    either. Neighbouring cells are joined until each expects at least five values; with too few
    values for two cells, nothing can be said. Where some of those joined never come, the others
    come the more often, and two values are alike in more pairs than chance allows.
    `without_replacement` is k where the values come in groups of k different ones: the statistic
    then scales by (cells - 1) / (cells - k), the variance that the hypergeometric distribution
    lacks. `drawn` names the values in the message.
    """
    wide = 1
    if without_replacement == 1:
        while len(values) * wide / cells < _MIN_EXPECTED and wide < cells:
            wide = next(d for d in range(wide + 1, cells + 1) if cells % d == 0)
    bins = cells // wide
    expected = len(values) / bins
    if bins < 2 or expected < _MIN_EXPECTED:
        return None
    counts = Counter(value // wide for value in values)
    statistic = sum((counts[cell] - expected) ** 2 / expected for cell in range(bins))
    statistic *= (cells - 1) / (cells - without_replacement)
    above = float(chdtrc(bins - 1, statistic))
    if above < ALARM:
        part = max(range(bins), key=lambda cell: abs(counts[cell] - expected))
        return (
            f"{drawn} are not uniform: one of {bins} equal parts of the range holds "
            f"{counts[part]} of {len(values)}, where about {expected:.0f} are expected "
            f"(chi-square {statistic:.0f} on {bins - 1} degrees of freedom)"
        )
    if 1.0 - above < ALARM:
        return (
            f"{drawn} are too even to be random: chi-square {statistic:.1f} on {bins - 1} "
            "degrees of freedom"
        )
    if wide > 1:
        alike = sum(count * (count - 1) for count in Counter(values).values()) // 2
        by_chance = len(values) * (len(values) - 1) / 2 / cells
        # Pairs vary more than by Poisson's law where a cell is expected to hold several values.
        each = len(values) / cells
        apart = (2 * alike + len(values)) / each - len(values)
        if too_many(alike, by_chance) and float(chdtrc(cells - 1, apart)) < ALARM:
            return (
                f"{drawn} are not uniform: {alike} pairs of {len(values)} are alike, where about"
                f" {by_chance:.0f} are expected: some of {cells} come more often than others"
            )
    return None


def chained(values: Sequence[int], cells: int, *, lag: int = 1, drawn: str) -> str | None:
    """Why each of `values` depends on the one `lag` places before; None where it need not.

    Such differences of independent uniform values, modulo `cells`, are themselves independent and
    uniform: a value used twice, a counter and a constant all show in them.
    """
    steps = [(b - a) % cells for a, b in zip(values, values[lag:], strict=False)]
    return uneven(steps, cells, drawn=f"the steps between {drawn}")


def ends(values: Sequence[int], low: int, high: int) -> str | None:
    """Why `values` cannot be uniform on low..high including both ends; None where they may be.

    Of n uniform values none lies within the k lowest with probability (1 - k / cells)^n: with
    2,000 values of 0..1000 this asks for one below 10, with 21,000 for 0 itself.
    """
    if not values:
        return None
    cells = high - low + 1
    margin = cells * (1.0 - ALARM ** (1.0 / len(values)))
    for seen, name, distance in (
        (min(values), "smallest", min(values) - low),
        (max(values), "largest", high - max(values)),
    ):
        if distance >= margin:
            return (
                f"the {name} of {len(values)} values is {seen}, too far from the end of the "
                f"range {low}..{high}"
            )
    return None


def too_often(hits: int, tries: int, chance: float) -> bool:
    """True where `hits` of `tries` at `chance` each is more than luck (binomial upper tail)."""
    return hits > 0 and tries > 0 and float(bdtrc(hits - 1, tries, chance)) < ALARM


def too_seldom(hits: int, tries: int, chance: float) -> bool:
    """True where `hits` of `tries` at `chance` each is less than luck (binomial lower tail)."""
    return hits < tries and float(bdtr(hits, tries, chance)) < ALARM


def repeats_by_chance(answers: int, chance: float, one_in: int) -> float:
    """How many of `answers` repeat another by chance, where two are alike with `chance`.

    Two of them may also share a fingerprint of 64 bits. Where only one answer in `one_in` was
    compared, by fingerprint, so many fewer are found.
    """
    return answers * (answers - 1) / 2 * (chance + 2.0**-64) / one_in


def too_many(hits: int, expected: float) -> bool:
    """True where `hits` are more than luck, with so many `expected` (Poisson upper tail)."""
    return hits > 0 and (expected <= 0 or float(pdtrc(hits - 1, expected)) < ALARM)


def repeated(items: Iterable[_Item]) -> _Item | None:
    """The first item that was there before; None where all differ."""
    seen: set[_Item] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None
