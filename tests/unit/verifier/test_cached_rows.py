"""How old the rows of a sampled answer of `cached` may be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webdyno.verifier import Sample, beside
from webdyno.verifier.states import RowStates, State

cached = beside(str(Path(__file__).parents[3] / "scenarios" / "cached" / "verifier.py"), "verifier")

ALLOWED_S = 2.0


def problem(shown: int, sent_s: float) -> str | None:
    """What is wrong with a row of an answer, where the row changed from 1 to 2 at 10 s."""
    verifier = object.__new__(cached.Scenario)
    verifier.states = RowStates({7: 1}, ALLOWED_S)
    verifier.states.changed(State(10.0, 10.1, {7: 2}))
    verifier.number = 1
    sample = Sample(
        request="cached",
        variables={"n": "1"},
        status=200,
        headers=[("content-type", "application/json")],
        body=json.dumps([{"id": 7, "randomNumber": shown}]).encode(),
        at_s=5.0,
        sent_s=sent_s,
        answered_by_s=sent_s + 0.01,
    )
    found: str | None = verifier._sampled(sample, [])
    return found


@pytest.mark.parametrize("sent_s", [5.0, 10.05, 12.0])
def test_a_row_may_be_kept_for_as_long_as_it_is_allowed(sent_s: float) -> None:
    assert problem(1, sent_s) is None


@pytest.mark.parametrize("sent_s", [12.2, 19.9])
def test_however_rarely_rows_change_none_is_older(sent_s: float) -> None:
    late = problem(1, sent_s)
    assert late is not None
    assert "row 7 was answered with 1, which had changed" in late
    assert problem(2, sent_s) is None
