"""Servers that keep rows for longer than they may, or not at all, are caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.runtime.services import table_work

Stage = Any
# Many rows an answer, so that a slow machine makes enough of them, too.
GIVEN = {"ttl_ms": 200, "n": 100}

# Cheat, and what the message must say.
BEFORE = [
    ("never-expires", r"constantly requested rows expire.*which had changed \d\.\d+ s before"),
    ("kept-while-asked-for", r"constantly requested rows expire.*which had changed \d"),
    ("not-kept", "rows are kept for 0.2 s.*: 0 were, after 20 changes of all rows"),
    ("same-ids", "different ids are drawn for each request|drawn at random"),
]


@pytest.mark.parametrize(("cheat", "says"), BEFORE)
def test_caught_before_the_load(stage: Callable[..., Stage], cheat: str, says: str) -> None:
    message = stage("cached", cheat, **GIVEN).caught()
    assert re.search(says, message), message
    assert "\n" not in message


def test_a_time_that_is_not_the_environment_s_is_caught(stage: Callable[..., Stage]) -> None:
    message = stage("cached", "time-of-its-own", **GIVEN).caught_restarted()
    assert "with a WEBDYNO_TTL_MS of 5 s, it keeps rows for longer than 0.2 s" in message


def test_an_honest_server_passes_from_start_to_end(stage: Callable[..., Stage]) -> None:
    honest = stage("cached", **GIVEN)
    result = honest.loaded(2.2)
    honest.verify_restarted()
    assert result.counts.ok > 0
    assert result.counts.errors == 0, result.errors_detail
    assert honest.judged(result) == ""
    assert honest.verifier.states.changes > 2
    for phase in ("after", "before"):
        honest.verify(phase)
    claims = "\n".join(item.claim for item in honest.verifier.evidence)
    assert "each expired row was read from PostgreSQL" in claims, result.counts.by_kind()
    assert "most of them looked up one row" in claims
    assert all(item.ok for item in honest.verifier.evidence)


# Cheat that is honest before the load, how long that must be, and what the message must say.
UNDER_LOAD = [
    ("never-expires-under-load", 3.2, r"none of them older than 0.2 s.*which had changed \d"),
    ("answers-kept", 0.5, "answers of the load is repeated|the ids are not uniform"),
    (
        "kept-too-long-when-warm",
        4.0,
        r"each expired row was read from PostgreSQL.*: \d+ reads in \d\.\d s",
    ),
    (
        "read-together",
        2.2,
        r"each expired row was read from PostgreSQL.*: \d+ reads in 2\.\d s",
    ),
    ("read-together-and-paid", 2.2, r"none read several rows: SELECT .* LATERAL "),
]


@pytest.mark.parametrize(("cheat", "seconds", "says"), UNDER_LOAD)
def test_caught_by_what_the_load_left(
    stage: Callable[..., Stage],
    monkeypatch: pytest.MonkeyPatch,
    cheat: str,
    seconds: float,
    says: str,
) -> None:
    # An idle backend may tell of its work after ten seconds; the next question here is its next.
    monkeypatch.setattr(table_work, "TOLD_LATE_S", 2.0)
    cheater = stage("cached", cheat, **GIVEN)
    message = cheater.judged(cheater.loaded(seconds))
    assert re.search(says, message), message
