"""How many connections a server may be seen to hold, and what its statements may not hide."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from webdyno.runtime.services.statement_claims import expect_one_by_one, expect_whole_rows
from webdyno.runtime.services.statements import Statements, StatementsSeen
from webdyno.runtime.services.within_pool import expect_within_pool
from webdyno.verifier import Breakdown, Excess, Mismatch, Verifier


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
    if is_right:
        expect_within_pool(verifier, held)
        assert verifier.evidence[-1].ok
    else:
        with pytest.raises(Breakdown, match="no more than 16 connections"):
            expect_within_pool(verifier, held)


def test_nothing_is_recorded_of_connections_that_nobody_counted() -> None:
    verifier = Verifier(
        parameters={"pool": 16}, folder=Path("queries"), work=Path(), random=Random(1)
    )
    expect_within_pool(verifier, [])
    assert verifier.evidence == []


def judged(
    seen: StatementsSeen, monkeypatch: pytest.MonkeyPatch, older: dict[str, str] | None = None
) -> Verifier:
    verifier = Verifier(
        parameters={"pool": 16}, folder=Path("queries"), work=Path(), random=Random(1)
    )
    statements = Statements({"PGUSER": "webdyno"}, "world")
    statements.held, statements.older = [16] * 9, older or {}
    monkeypatch.setattr(statements, "told", lambda: seen)
    expect_one_by_one(verifier, statements, claim="each looked up one", likely=0.5)
    whole = seen._replace(whole=seen.number)
    monkeypatch.setattr(statements, "told", lambda: whole)
    expect_whole_rows(verifier, statements, "read all rows")
    return verifier


ONE_EACH = StatementsSeen(single=60, number=60, several="", another="")


def test_one_statement_that_hides_what_it_reads_fails_the_trial_and_is_no_lie(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    claims = [item.claim for item in judged(ONE_EACH, monkeypatch).evidence]
    assert sum("load hid what it reads" in claim for claim in claims) == 2
    with pytest.raises(Excess, match="hid what it reads: FETCH 20 FROM found"):
        judged(ONE_EACH._replace(hidden="FETCH 20 FROM found"), monkeypatch)
    # A driver may read all of it so, beside nothing else.
    only = StatementsSeen(single=0, number=0, several="", another="", hidden="EXECUTE found(5)")
    with pytest.raises(Excess, match="hid what it reads: EXECUTE found"):
        judged(only, monkeypatch)


def test_among_many_statements_one_has_to_be_on_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    none = StatementsSeen(single=0, number=0, several="", another="", of_all=100)
    judged(none, monkeypatch)  # Short ones are seldom seen.
    judged(none._replace(single=1, number=1, whole=1, of_all=3000), monkeypatch)
    with pytest.raises(Excess, match="some are on the table: 0 of 3000"):
        judged(none._replace(of_all=3000), monkeypatch)


def test_what_hides_excuses_no_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = StatementsSeen(single=0, number=60, several="", another="", hidden="EXECUTE found(5)")
    with pytest.raises(Mismatch, match="each looked up one: 0 of 60") as found:
        judged(seen, monkeypatch)
    assert not found.value.is_breakdown


def test_a_transaction_from_before_the_load_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Breakdown, match="had begun before it: 1 had; one with: SELECT 1"):
        judged(ONE_EACH, monkeypatch, older={"5": "SELECT 1"})


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
