"""Servers whose statements are not what they seem to the verifier are caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.runtime.services import counted_at_rest
from webdyno.trial.proof.prove import samples_of
from webdyno.verifier import Breakdown, Probe

Stage = Any

# Cheats that a database user without the right to views, or to functions that run texts, does not
# get to start.
REFUSED = [
    ("queries", "behind-a-view"),
    ("queries", "another-of-that-name"),
    ("queries", "run-from-a-text"),
    ("fortunes", "lines-behind-a-view"),
]


@pytest.mark.parametrize(("name", "cheat"), REFUSED)
def test_nothing_stands_in_the_place_of_a_table(
    stage: Callable[..., Stage], capfd: pytest.CaptureFixture[str], name: str, cheat: str
) -> None:
    with pytest.raises(AssertionError, match="did not start"):
        stage(name, cheat)
    assert "permission denied" in capfd.readouterr().err


UNDER_LOAD = [
    ("queries", "too-long-to-be-shown", 0.7, r"none read several rows:\s+SELECT found"),
    ("queries", "by-its-digits", 0.7, r"none read several rows: SELECT .* OR \(1 = 1 AND"),
    ("queries", "run-by-execute", 0.7, r"hid what it reads: EXECUTE found"),
    ("queries", "in-a-quoted-comment", 0.7, r"none read several rows:\s+SELECT .* OR 'b' = "),
    ("queries", "by-its-settings", 0.7, r"hid what it reads:\s+SELECT .* AND NULL = NULL"),
    ("queries", "by-its-dates", 0.7, r"hid what it reads:\s+SELECT .* = '01-02-2020'"),
    ("queries", "holds-more", 0.7, r"no more than 16 connections .*: 4\d or more in \d+"),
    # Or by the counters themselves, where it cannot make up for all in time.
    (
        "fortunes",
        "paid-afterwards",
        8.0,
        r"had counted at least half .* reads for \d+ of \d+"
        r"|read all rows as often, in at least as many transactions",
    ),
]


@pytest.mark.parametrize(("name", "cheat", "seconds", "says"), UNDER_LOAD)
def test_caught_by_what_was_seen_under_load(
    stage: Callable[..., Stage], name: str, cheat: str, seconds: float, says: str
) -> None:
    cheater = stage(name, cheat)
    cheater.verifier.goes_on = True
    message = cheater.judged(cheater.loaded(seconds))
    assert re.search(says, message), message


def test_what_was_read_before_the_load_is_not_counted_in_it(
    stage: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted_at_rest, "REST_WITHIN_S", 1.0)
    cheater = stage("fortunes", "paid-before")
    with pytest.raises(Breakdown, match=r"not idle; one was idle in transaction, with: SELECT sum"):
        cheater.loaded()


def test_who_reads_by_cursors_is_accused_of_nothing(stage: Callable[..., Stage]) -> None:
    """What a driver may do for an honest server fails its trial: it does not disqualify it."""
    honest = stage("queries", "by-cursors")
    result = honest.loaded()
    honest.verifier.sampled_from = result.counts.ok
    honest.verifier.audit(samples_of(result))
    with (
        Probe(f"http://127.0.0.1:{honest.port}") as probe,
        pytest.raises(Breakdown, match=r"hid what it reads: (FETCH|DECLARE)"),
    ):
        honest.verifier.reconcile(probe, result.counts.by_kind())
