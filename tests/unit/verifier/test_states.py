"""What an answer may show, by the times of the table's changes."""

from __future__ import annotations

import pytest

from webdyno.verifier.states import RowStates, State, States

ALLOWED_S = 2.0
FIRST, SECOND, THIRD = ({1: number, 2: number + 1} for number in (10, 20, 30))


def table() -> RowStates:
    """Rows that changed between 10.0 and 10.1 s, and between 20.0 and 20.1 s."""
    found = RowStates(FIRST, ALLOWED_S)
    found.changed(State(10.0, 10.1, SECOND))
    found.changed(State(20.0, 20.1, THIRD))
    return found


@pytest.mark.parametrize(
    ("shown", "answered_s", "says"),
    [
        ((1, 10), 5.0, None),
        ((1, 20), 9.9, "row 1 was answered with 20"),  # It did not hold that yet.
        ((1, 20), 10.05, None),  # While it changes, either is right.
        ((1, 10), 12.0, None),  # Kept for as long as it may be.
        (
            (1, 10),
            12.2,
            "row 1 was answered with 10, which had changed 2.10 s before (2.00 s are allowed)",
        ),
        ((1, 20), 22.0, None),
        ((1, 20), 22.2, "had changed 2.10 s before"),
        ((2, 11), 25.0, "row 2 was answered with 11, which had changed 4.90 s before"),
        ((2, 31), 25.0, None),
        ((2, 99), 25.0, "row 2 was answered with 99; the table holds 31"),
        ((3, 31), 25.0, r"the id 3 is not in 1\.\.2"),
    ],
)
def test_rows_are_judged_by_their_age(
    shown: tuple[int, int], answered_s: float, says: str | None
) -> None:
    problem = table().rows_problem([shown], answered_s, answered_s)
    if says is None:
        assert problem is None
    else:
        assert problem is not None
        assert says.replace("\\", "") in problem


def test_rows_of_one_answer_may_be_of_different_ages() -> None:
    assert table().rows_problem([(1, 20), (2, 31), (1, 20)], 20.5, 20.5) is None
    assert table().rows_problem([(1, 20), (2, 11)], 20.5, 20.5) is not None


def test_an_answer_that_took_long_may_show_what_was_right_when_it_was_asked_for() -> None:
    assert table().rows_problem([(1, 10)], 12.0, 19.0) is None
    assert table().rows_problem([(1, 10)], 12.2, 19.0) is not None
    assert table().rows_problem([(1, 20)], 12.2, 19.0) is None


def test_without_an_age_allowed_an_answer_shows_what_held_while_it_was_under_way() -> None:
    table: States[str] = States("first")
    table.changed(State(10.0, 10.1, "second"))
    table.changed(State(20.0, 20.1, "third"))

    def problem(shown: str, asked_s: float, answered_s: float) -> str | None:
        def wrong(held: str) -> str | None:
            return None if shown == held else f"{shown} instead of {held}"

        return table.problem(wrong, asked_s, answered_s)

    assert problem("first", 10.05, 10.06) is None  # The change was not complete.
    assert problem("first", 9.0, 25.0) is None  # It took long.
    assert problem("third", 9.0, 25.0) is None
    assert problem("second", 9.0, 9.9) == "second instead of first"
    late = "out of date, it had changed 0.90 s before: first instead of second"
    assert problem("first", 10.5, 11.0) == late
    assert problem("none", 10.5, 11.0) == "none instead of second"
    assert table.changes == 2
    assert table.newest == "third"
