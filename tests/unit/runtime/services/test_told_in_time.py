"""Work that is counted at another time than that of the load."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from webdyno.runtime.services.table_work import TableWork
from webdyno.runtime.services.told_in_time import (
    LookAtWork,
    expect_told_in_time,
    judged,
    told_too_late,
)
from webdyno.verifier import Mismatch, Verifier

BEGAN_S, SECONDS, RPS = 1000.0, 10.0, 100
BEFORE = TableWork(5000, 7, 0, 5000, 70, 260)
ANSWERS = int(SECONDS * RPS)
ANSWERED_S = [BEGAN_S + number / 20 for number in range(int(20 * SECONDS))]


def looks(told: dict[float, float]) -> list[LookAtWork]:
    """Looks so many seconds after the load's beginning, by which so many requests were counted."""
    return [
        LookAtWork(BEGAN_S + after_s, BEFORE._replace(looked_up=5000 + round(20 * requests)))
        for after_s, requests in told.items()
    ]


def requests(work: TableWork) -> float:
    return work.looked_up / 20


TIMES_S = (0.5, 2.0, 4.1, 5.5, 6.5, 8.0, 9.9)


@pytest.mark.parametrize(
    ("told", "is_right"),
    [
        ({}, True),
        # As the answers are given; a second late; and told of by half the backends alone.
        ({at_s: at_s * RPS for at_s in TIMES_S}, True),
        ({at_s: max(0.0, at_s - 1) * RPS for at_s in TIMES_S}, True),
        ({at_s: at_s * RPS / 2 for at_s in TIMES_S}, True),
        # The machine stood still from the first second on, or at last.
        ({4.1: 0, 5.5: 0, 6.5: 600, 8.0: 800, 9.9: 990}, True),
        ({4.1: 410, 5.5: 550, 6.5: 650, 9.9: 100}, True),
        # Two looks are too few to tell.
        ({8.0: 0, 9.9: 0}, True),
        # Never, later, one in five, and all before the load: that was `BEFORE`.
        (dict.fromkeys(TIMES_S, 0), False),
        ({at_s: max(0.0, at_s - 8) * RPS for at_s in TIMES_S}, False),
        ({at_s: at_s * RPS / 5 for at_s in TIMES_S}, False),
    ],
)
def test_most_of_what_is_due_is_counted_by_then(told: dict[float, float], is_right: bool) -> None:
    found = told_too_late(judged(looks(told), BEFORE, ANSWERED_S, ANSWERS, requests))
    assert (found is None) is is_right, found


def test_it_says_how_much_there_was() -> None:
    each = judged(looks({at_s: at_s for at_s in TIMES_S}), BEFORE, ANSWERED_S, ANSWERS, requests)
    found = told_too_late(each)
    assert found == "at the last of 5 looks, there had been reads for 10 of 690 answers"


def recorded(told: dict[float, float], *, goes_on: bool = True) -> list[str]:
    """The claims that it records of a load with looks so."""
    verifier = Verifier(parameters={}, folder=Path("queries"), work=Path(), random=Random(1))
    verifier.goes_on, verifier.sampled_from = goes_on, ANSWERS
    expect_told_in_time(verifier, looks(told), BEFORE, ANSWERED_S, requests, "read the rows")
    return [item.claim for item in verifier.evidence]


def test_only_what_was_judged_is_recorded() -> None:
    kept = {at_s: at_s * RPS for at_s in TIMES_S}
    [claim] = recorded(kept)
    assert claim.endswith("by 5 looks at its counters")
    assert recorded({8.0: 0, 9.9: 0}) == []
    # A load that is open or takes turns may pause, and its last work be told of later.
    assert recorded(dict.fromkeys(TIMES_S, 0), goes_on=False) == []
    with pytest.raises(Mismatch, match=r"while the load went on.* 0 of 690 answers"):
        recorded(dict.fromkeys(TIMES_S, 0))
