"""How many connections a server may be seen to hold."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from webdyno.runtime.services.statement_claims import expect_one_by_one, expect_within_pool
from webdyno.runtime.services.statements import Statements, StatementsSeen
from webdyno.verifier import Breakdown, Mismatch, Verifier


@pytest.mark.parametrize(
    ("held", "is_right"),
    [
        ([16] * 9, True),
        ([0, 3, 16], True),
        # One worker takes over from another.
        ([16, 20, 20, 16, 16], True),
        ([20], True),
        ([17, 17], False),
        ([100] * 8 + [16] * 7, False),
    ],
)
def test_no_more_than_the_scenario_lets_it(held: list[int], is_right: bool) -> None:
    verifier = Verifier(
        parameters={"pool": 16}, folder=Path("queries"), work=Path(), random=Random(1)
    )
    statements = Statements({"PGUSER": "webdyno"}, "world")
    statements.held = held
    if is_right:
        expect_within_pool(verifier, statements)
        assert verifier.evidence[-1].ok
    else:
        with pytest.raises(Breakdown, match="no more than 16 connections"):
            expect_within_pool(verifier, statements)


def test_nothing_is_recorded_of_connections_that_nobody_counted() -> None:
    verifier = Verifier(
        parameters={"pool": 16}, folder=Path("queries"), work=Path(), random=Random(1)
    )
    expect_within_pool(verifier, Statements({"PGUSER": "webdyno"}, "world"))
    assert verifier.evidence == []


def test_more_connections_excuse_no_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial with a lie counts as one, and one that breaks down does not count at all."""
    verifier = Verifier(
        parameters={"pool": 16}, folder=Path("queries"), work=Path(), random=Random(1)
    )
    statements = Statements({"PGUSER": "webdyno"}, "world")
    statements.held = [17] * 9
    seen = StatementsSeen(single=0, number=5, several="SELECT many", another="")
    monkeypatch.setattr(statements, "told", lambda: seen)
    with pytest.raises(Mismatch, match="none read several rows: SELECT many") as found:
        expect_one_by_one(verifier, statements, claim="each looked up one", likely=0.5)
    assert not found.value.is_breakdown
