"""How two running services are loaded: in turns that are long beside an answer, or in one piece."""

from __future__ import annotations

import pytest

from webdyno.ab.running.turns import Turns, turns_note, turns_of
from webdyno.catalog.loads.load import TURN_S


@pytest.mark.parametrize(
    ("answer_s", "load_s", "most_s", "expected"),
    [
        (0.0005, 3.0, 3.3, Turns(3.0, TURN_S, 0.001)),
        (0.006, 1.0, 3.3, Turns(1.0, 0.24, 0.012)),
        # The load becomes longer where its turns need that,
        (0.010, 1.0, 3.3, Turns(1.2, 0.4, 0.02)),
        # but not beyond its part of the budget,
        (0.024, 1.0, 2.0, Turns(2.0, 0.0, 0.0)),
        # and a turn of over a second is none.
        (0.128, 3.0, 60.0, Turns(15.36, 0.0, 0.0)),
        (0.030, 10.0, 60.0, Turns(10.0, 0.0, 0.0)),
    ],
)
def test_what_is_under_way_at_the_end_of_a_turn_is_a_small_part(
    answer_s: float, load_s: float, most_s: float, expected: Turns
) -> None:
    found = turns_of(answer_s, load_s, most_s)
    assert (found.load_s, found.length_s, found.settle_s) == pytest.approx(
        (expected.load_s, expected.length_s, expected.settle_s)
    )


def test_how_it_was_made_is_told() -> None:
    whole, short, long = Turns(3.0, 0.0, 0.0), Turns(3.0, 0.1, 0.0), Turns(3.0, 0.4, 0.0)
    assert turns_note([whole]) == "Loads one after the other"
    assert turns_note([short, whole]) == "Turns of 100 ms"
    assert turns_note([long, short]) == "Turns of 100 ms to 400 ms"
