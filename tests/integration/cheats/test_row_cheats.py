"""Servers that save themselves rows, locks, sorting or escaping are caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.verifier import Mismatch, Probe

Stage = Any

SCENARIOS = ("queries", "updates", "fortunes")

# Scenario, cheat, and what the message must say.
BEFORE = [
    ("queries", "rows-kept", r"as they are now: .*row \d+ was answered with .*; the table holds"),
    ("queries", "whole-table", "rows changed in the database are answered as they are now"),
    ("queries", "in-a-row", "drawn at random.*(ids are not uniform|too even)"),
    ("queries", "every-fifth", r"drawn at random.*\d+ pairs of \d+ are alike, .* come more often"),
    ("queries", "same-ids", r"drawn at random|different ids are drawn for each request"),
    ("queries", "not-clamped", r"clamped to 1\.\.500.*n=65541: 5 rows, not 500"),
    ("updates", "not-locked", r"made at once, .*none is lost: row \d+ was incremented \d+ times"),
    ("updates", "rows-in-memory", r"from what they hold now: .*row \d+ was answered with"),
    ("updates", "more-rows", "other rows have risen, too, by 1"),
    ("updates", "by-get", "a GET is answered 404 or 405: answered 200"),
    ("fortunes", "rows-kept", "follows the table when a row is changed"),
    ("fortunes", "added-last", "not sorted by message in code point order: "),
    ("fortunes", "dictionary", "not sorted by message in code point order: "),
    ("fortunes", "not-escaped", "not escaped|does not open a well-formed tag"),
    # By whichever text is compared first: the words of each are drawn.
    ("fortunes", "scripts-taken-out", r"(in order|as they are): .*(alert|instead of)"),
    ("fortunes", "nothing-needed", "without a text is answered 400: .* was answered 200"),
]


@pytest.mark.parametrize(("name", "cheat", "says"), BEFORE)
def test_caught_before_the_load(
    stage: Callable[..., Stage], name: str, cheat: str, says: str
) -> None:
    message = stage(name, cheat).caught()
    assert re.search(says, message), message
    assert "\n" not in message


@pytest.mark.parametrize("name", SCENARIOS)
def test_an_honest_server_passes_from_start_to_end(stage: Callable[..., Stage], name: str) -> None:
    honest = stage(name)
    result = honest.loaded()
    assert result.counts.ok > 0
    assert result.counts.errors == 0, result.errors_detail
    assert honest.judged(result) == ""
    for phase in ("after", "after", "before"):
        honest.verify(phase)
    assert all(item.ok for item in honest.verifier.evidence)


ROW_OUT_OF_DATE = r"as the table held them then, which changed \d+ times: row \d+ .* had changed"
TOO_FEW_READS = "read the table for each answer|read all rows as often"
PAGE_OUT_OF_DATE = r"as they were then, which changed \d+ times, .*: out of date, it had changed"

# Scenario, cheat that is honest until it is warm, and what the message must say.
UNCOMMITTED = r"was committed by then, by \d+ looks .*: row \d+ was answered"
"""What a look into the table shows that comes between an answer and its commit."""

UNDER_LOAD = [
    # Where no sampled answer happens to hold a row that changed, the counters show it; rows that
    # are kept and paid for are told by the answers alone.
    (
        "queries",
        "rows-kept-when-warm",
        rf"{ROW_OUT_OF_DATE}|looked up a row for each one sent.*: \d+ look-ups, \d+",
    ),
    ("queries", "rows-kept-and-paid", ROW_OUT_OF_DATE),
    ("queries", "read-together", "none read several rows: SELECT .* IN "),
    ("queries", "sent-together", "none read several rows: BEGIN;SELECT .*;SELECT "),
    (
        "queries",
        "objects-by-the-database",
        r"returned it unchanged: 0 of \d+; another was: SELECT json_build_object",
    ),
    ("queries", "one-short", "answers of the load hold 20 rows.*: 19 rows, not 20"),
    ("updates", "read-together", "none read several rows: SELECT .* IN .* FOR UPDATE"),
    ("updates", "rows-kept-when-warm", "the table rose by the rows|each raised by one"),
    ("updates", "written-later", f"was committed by itself|each raised by one|{UNCOMMITTED}"),
    ("updates", "answers-first", UNCOMMITTED),
    # Or an answer whose batch was not committed yet.
    (
        "updates",
        "savepoints-in-batches",
        rf"was committed by itself, .*: \d+ commits, \d+ answers|before the load and holds \d+"
        f"|{UNCOMMITTED}",
    ),
    ("updates", "together-and-paid", r"was committed by itself, .*: \d+ commits, \d+ answers"),
    # Or the answers of the last moments, if the machine is slow to write the sums. Where no sampled
    # answer shows it, the log does.
    (
        "updates",
        "counts-made-up",
        r"it had risen to \d{4,}|before the load and holds \d+|by PostgreSQL's log: \d+ commits",
    ),
    (
        "updates",
        "rows-locked",
        rf"was committed by itself, .*: \d+ commits, \d+ answers|{UNCOMMITTED}",
    ),
    ("updates", "some-not-written", "the table rose by the rows|each raised by one"),
    ("fortunes", "rows-kept-when-warm", PAGE_OUT_OF_DATE),
    ("fortunes", "rows-kept-and-paid", PAGE_OUT_OF_DATE),
    ("fortunes", "read-for-two", f"{TOO_FEW_READS}|out of date, it had changed"),
    ("fortunes", "read-for-two-and-paid", "read all rows as often|out of date, it had changed"),
    ("fortunes", "read-for-two-seldom", f"{TOO_FEW_READS}|out of date, it had changed"),
    ("fortunes", "told-of-changes", r"nearly all return all rows unchanged: \d of \d+; .*sum"),
    (
        "fortunes",
        "lines-by-the-database",
        r"nearly all return all rows unchanged: 0 of \d+; another was: .* replace\(",
    ),
    (
        "fortunes",
        "sorted-by-the-database",
        r"nearly all return all rows unchanged: 0 of \d+; another was: .* ORDER BY message",
    ),
    ("fortunes", "page-kept", "their own text|answers of the load is repeated"),
]

# A sampled answer shows them where it holds a row that changed within the last tenth of a second,
# and a change where it comes while rows are locked: most trials have one, and a server has at least
# three trials.
SELDOM_STALE = ("rows-kept-and-paid", "counts-made-up", "rows-locked")
# Two of its answers at once may both raise what the table held before either, which is told first.
TOLD_OTHERWISE = ("answers-first",)
TRIALS = 3


# As in loads of other generators. Scenario, and what the message must say.
WITHOUT_CHANGES = [
    ("queries", r"looked up a row for each one sent.*: \d+ look-ups, \d+"),
    ("fortunes", r"read the table for each answer.*: \d+ times, \d+ answers"),
]


@pytest.mark.parametrize(("name", "cheat", "says"), UNDER_LOAD)
def test_caught_by_what_the_load_left(
    stage: Callable[..., Stage], name: str, cheat: str, says: str
) -> None:
    message = ""
    for _ in range(TRIALS if cheat in (*SELDOM_STALE, *TOLD_OTHERWISE) else 1):
        cheater = stage(name, cheat)
        result = cheater.loaded(2.5 if cheat == "rows-locked" else 0.7)
        if cheat in ("answers-first", "rows-locked"):
            # In a trial, it has the time to write what it has counted: here, it does so before it
            # answers to this.
            with Probe(f"http://127.0.0.1:{cheater.port}") as probe:
                probe.request("POST", "/updates?n=1", timeout=60.0)
        message = cheater.judged(result)
        if re.search(says, message) or (message and cheat not in TOLD_OTHERWISE):
            break
    assert re.search(says, message), message


@pytest.mark.parametrize(("name", "says"), WITHOUT_CHANGES)
def test_rows_kept_are_counted_even_where_none_changes(
    stage: Callable[..., Stage], name: str, says: str
) -> None:
    cheater = stage(name, "rows-kept-when-warm")
    cheater.verifier.change = lambda: None
    message = cheater.judged(cheater.loaded())
    assert re.search(says, message), message


def test_our_changes_under_load_are_part_of_the_account(stage: Callable[..., Stage]) -> None:
    honest = stage("updates")
    result = honest.loaded(1.0)
    assert honest.verifier.ours.by >= 1000
    assert honest.judged(result) == ""
    # Had one of them been undone, the table would lack it.
    honest.verifier.ours.by += 1000
    with Probe(f"http://127.0.0.1:{honest.port}") as probe, pytest.raises(Mismatch) as found:
        honest.verifier.reconcile(probe, result.counts.by_kind())
    assert "the table rose by the rows of the load's answers" in str(found.value)


@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_is_compared_with_nothing(stage: Callable[..., Stage], name: str) -> None:
    honest = stage(name)
    with Probe(f"http://127.0.0.1:{honest.port}") as probe, pytest.raises(Mismatch) as found:
        honest.verifier.reconcile(probe, {"ok": 0})
    assert "before the load" in str(found.value)
    assert found.value.is_breakdown
