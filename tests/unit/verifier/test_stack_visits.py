"""`stack-8`: the visits of one session in the answers of a load."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from webdyno.verifier import beside

SCENARIO = Path(__file__).parents[3] / "scenarios" / "stack-8" / "verifier.py"
contract: Any = beside(str(SCENARIO), "contract")


def seen(*visits: int, takes_s: float = 0.5) -> list[Any]:
    """Answers a second apart."""
    return [
        contract.CountedVisit(float(at), at + takes_s, number) for at, number in enumerate(visits)
    ]


def test_a_session_that_counts_passes() -> None:
    assert contract.not_rising(seen(*range(2, 202))) is None
    # Each of those that were asked for at a time may show the same.
    assert contract.not_rising(seen(*(at // 8 for at in range(200)), takes_s=8.5)) is None
    # A slow request sets the count back.
    assert contract.not_rising(seen(*range(100), *range(90, 190))) is None
    assert contract.not_rising([]) is None
    assert contract.not_rising(seen(3)) is None


@pytest.mark.parametrize("first", [7, 8])
def test_answers_that_were_kept_do_not(first: int) -> None:
    by_chance = random.Random(first)
    for visits in ([first] * 200, [by_chance.randint(2, 200) for _ in range(200)]):
        said = contract.not_rising(seen(*visits))
        assert "pairs of answers, the later one shows more visits in" in said
