"""Servers that save themselves the session counter's database or signature are caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.catalog.loads.load import Closed
from webdyno.generators.engine import Engine
from webdyno.generators.result import LoadResult
from webdyno.trial.proof.prove import samples_of
from webdyno.verifier import Mismatch, Probe

NAME = "session-counter"
USERS = 20

Stage = Any

# Cheat, and what the message must say.
CAUGHT = [
    ("in-cookie", "first visit inserts one row.*nothing was inserted"),
    ("in-cookie-with-row", r"follows the row when it is changed.*; the row had been set to \d+"),
    ("in-memory", r"follows the row when it is changed.*; the row had been set to \d+"),
    ("in-memory-per-connection", "visit by visit.*the body is|follows the row"),
    ("writes-later", "first visit inserts one row.*nothing was inserted"),
    ("one-for-all", "counted separately"),
    ("unsigned", "did not (sign|begin).*the body is b'Count is "),
    ("unsigned-base64", "did not (sign|begin).*the body is b'Count is "),
    ("signature-ignored", "did not sign.*(the body is b'Count is |the row of a session)"),
    ("trusts-known-ids", "did not sign.*the body is b'Count is "),
    ("fails-on-garbage", "meaningless cookies.*answered 500"),
    ("fails-without-row", "row is gone starts over.*answered 500"),
    ("two-rows", "first visit inserts one row"),
    ("other-text", "'Count is 1', as text.*the body is b'Count is 1.'"),
    ("wrong-type", "'Count is 1', as text.*'application/json', not 'text/plain' or 'text/html'"),
]


@pytest.mark.parametrize(("cheat", "says"), CAUGHT)
def test_caught_before_the_load(stage: Callable[..., Stage], cheat: str, says: str) -> None:
    message = stage(NAME, cheat).caught()
    assert re.search(says, message), message
    assert "\n" not in message


def test_an_honest_server_passes_again_and_again(stage: Callable[..., Stage]) -> None:
    honest = stage(NAME)
    for phase in ["before", "after", "after", *["before"] * 4]:
        honest.verify(phase)
    assert all(item.ok for item in honest.verifier.evidence)


def test_the_report_tells_that_the_rows_are_not_in_postgresql(stage: Callable[..., Stage]) -> None:
    honest = stage(NAME)
    honest.verify()
    [inserted] = [item for item in honest.verifier.evidence if "inserts one row" in item.claim]
    assert inserted.detail.startswith("in SQLite, a file of the server's own")


def loaded(stage: Stage, cookies: bool | None = None) -> LoadResult:
    """Verify the server, then load it for half a second, as a trial does; the engine's result."""
    stage.verify("before")
    # Warm, so that a cheat that waits for it begins under the load.
    stage.warm()
    with Probe(f"http://127.0.0.1:{stage.port}") as probe:
        stage.verifier.before_load(probe)
    load = Closed(kind="closed", connections=USERS, duration=0.5, cookies=cookies)
    result = Engine().run(stage.job(load=load, moves=False))
    stage.verifier.phase = "during"
    return result


def reconciled(stage: Stage, counts: dict[str, int]) -> str:
    """What the count of rows against answers says; "" where they agree."""
    with Probe(f"http://127.0.0.1:{stage.port}") as probe:
        try:
            stage.verifier.reconcile(probe, counts)
        except Mismatch as mismatch:
            return str(mismatch)
    return ""


def test_an_honest_server_passes_from_start_to_end(stage: Callable[..., Stage]) -> None:
    honest = stage(NAME)
    result = loaded(honest)
    assert result.counts.ok > USERS
    assert result.counts.errors == 0
    honest.verifier.audit(samples_of(result))
    assert reconciled(honest, result.counts.by_kind()) == ""
    claim, wrote, apart = honest.verifier.evidence[-3:]
    assert claim.claim == "the counters in the table rose by the answers of the load"
    assert wrote.claim == "each visit was committed by itself"
    assert apart.claim.startswith("the statements of each visit are sent separately")
    assert f"{USERS} of them inserted a row" in claim.detail
    counted = honest.verifier.counted
    assert counted["rows inserted"] == USERS
    assert counted["rows updated"] >= result.counts.ok - USERS
    assert set(honest.verifier.held) == {"database connections"}
    honest.verify("after")


def test_counts_kept_in_memory_when_warm_are_caught_after_the_load(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage(NAME, "in-memory-when-warm")
    result = loaded(cheat)
    # Nobody changes a row under load: each answer, and the sum, are right.
    assert result.counts.failed_check == 0
    assert reconciled(cheat, result.counts.by_kind()) == ""
    assert "follows the row when it is changed" in cheat.caught("after")


def test_a_skipped_update_is_caught_answer_by_answer(stage: Callable[..., Stage]) -> None:
    cheat = stage(NAME, "skips-updates")
    result = loaded(cheat)
    counts = result.counts.by_kind()
    assert counts["failed_check"] >= counts["sent"] // 60
    assert any(re.search(r"expected \d+, got \d+", item.detail) for item in result.errors_detail), (
        result.errors_detail
    )


def test_counts_that_are_not_written_are_caught_by_the_sum(stage: Callable[..., Stage]) -> None:
    cheat = stage(NAME, "writes-every-tenth")
    result = loaded(cheat)
    assert result.counts.failed_check == 0
    message = reconciled(cheat, result.counts.by_kind())
    assert "the counters in the table rose by the answers of the load: by " in message


def test_an_error_with_status_200_is_caught_answer_by_answer(stage: Callable[..., Stage]) -> None:
    result = loaded(stage(NAME, "error-text"))
    details = [item.detail for item in result.errors_detail]
    assert any("Too many connections" in detail for detail in details)


def test_the_sum_is_not_compared_with_nothing(stage: Callable[..., Stage]) -> None:
    honest = stage(NAME)
    honest.verify()
    assert reconciled(honest, {"ok": 0}) == "the counters were not read before the load"


@pytest.mark.parametrize(
    ("counts", "agrees"),
    [
        ({"ok": 3}, True),
        ({"ok": 2}, False),  # a visit was counted that nobody made
        ({"ok": 4}, False),  # an answer was given that was not counted
        ({"ok": 2, "unfinished": 1}, True),
        ({"ok": 2, "unfinished": 5}, True),
        ({"ok": 1, "unfinished": 1}, False),
        ({"ok": 2, "timed_out": 1}, True),
        ({"ok": 4, "timed_out": 1}, True),  # a late request overwrote a count
        ({"ok": 2, "failed_check": 1}, True),
    ],
)
def test_the_sum_may_differ_by_what_was_left_unanswered(
    stage: Callable[..., Stage], counts: dict[str, int], agrees: bool
) -> None:
    honest = stage(NAME)
    honest.verifier.store = honest.verifier.stores[1]  # where the test server's rows are
    with Probe(f"http://127.0.0.1:{honest.port}") as probe:
        honest.verifier.before_load(probe)
        for _ in range(3):
            probe.get("/")
    assert (reconciled(honest, counts) == "") is agrees
