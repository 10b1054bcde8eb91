"""Servers that are honest while connections are few and young are caught in the midst of load."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from webdyno.trial.proof import crowd
from webdyno.verifier import Change, Mismatch

Stage = Any


def test_a_file_kept_while_it_is_crowded_is_caught(stage: Callable[..., Stage]) -> None:
    # Few rounds, so that the little server has many answers a second.
    cheat = stage("sha256", "read-once-in-a-crowd", n_max=4)
    cheat.verify("before")
    cheat.verify("after")  # Alone with its verifier it is honest.
    with pytest.raises(Mismatch, match="the answer follows the file"):
        cheat.verify_in_a_crowd()


def test_one_without_a_router_on_old_connections_is_caught(
    stage: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "_share", lambda: 1.0)  # Drawn by lot in a trial.
    monkeypatch.setattr(crowd, "_WITHIN_S", 20.0)
    monkeypatch.setattr(crowd, "_REQUESTS", 8)  # As old as that it is honest.
    cheat = stage("hello", "everywhere-when-old")
    result = cheat.loaded()
    assert cheat.judged(result) == ""
    cheat.verify("after")
    with pytest.raises(Mismatch, match=r"an unknown path is answered 404: .* was answered 200"):
        cheat.verify_in_a_crowd(connections=20, rps=20 * 60.0)


@pytest.mark.usefixtures("aged")
def test_one_that_is_honest_for_some_requests_after_a_pause_is_caught(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage("hello", "by-beginning-unless-paused")
    result = cheat.loaded()
    assert cheat.judged(result) == ""
    cheat.verify("after")

    def verify_each_trial() -> None:
        # Now and then a program beside makes a pause; each trial of a run is verified again.
        for _ in range(8):
            cheat.verify_in_a_crowd(connections=20)

    with pytest.raises(Mismatch, match=r"/hello was answered before its last piece was sent"):
        verify_each_trial()


def test_who_knows_a_proof_by_the_number_of_connections_meets_no_more_than_a_load_has(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage("json", "fails-in-a-crowd")
    cheat.verify("before")
    with pytest.raises(Mismatch) as found:
        cheat.verify_in_a_crowd(connections=32)
    assert not found.value.is_breakdown
    assert not any("answered 500" in item.detail for item in cheat.verifier.evidence)


@pytest.mark.parametrize("scenario", ["hello", "json", "sha256", "blog", "static"])
def test_honest_servers_pass_in_a_crowd(stage: Callable[..., Stage], scenario: str) -> None:
    honest = stage(scenario)
    honest.verify("before")
    honest.verify_in_a_crowd()
    assert {item.phase for item in honest.verifier.evidence} == {"before", "after"}


def test_only_the_proof_changes_what_the_server_reads(
    stage: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The measured load's own changes would come between a question and its answer."""
    monkeypatch.setattr(crowd, "LONGEST_S", 0.4)  # A load this short would have many of them.
    honest = stage("sha256")
    honest.verify("before")
    made: list[Change | None] = []

    def change() -> Change | None:
        made.append(honest.verifier.change())
        return made[-1]

    honest.verify_in_a_crowd(changes=change)
    assert not made
    assert all(item.ok for item in honest.verifier.evidence)


@pytest.mark.parametrize("scenario", ["session-counter", "updates"])
def test_a_verifier_that_must_be_alone_is(stage: Callable[..., Stage], scenario: str) -> None:
    honest = stage(scenario)
    honest.verify("before")
    honest.verify_in_a_crowd(connections=20)
    assert all(item.ok for item in honest.verifier.evidence)


@pytest.mark.parametrize("cheat", ["", "says-it-is-kept"])
def test_a_page_is_followed_beside_others_who_have_it_cached(
    stage: Callable[..., Stage], cheat: str
) -> None:
    honest = stage("page", cheat)
    honest.verify("before")
    honest.verify_in_a_crowd(connections=20)
    assert all(item.ok for item in honest.verifier.evidence)


UNKNOWN = "an unknown path is answered 404: .* was answered 200"
CLAMPED = r"n is clamped to 1\.\.500"


@pytest.mark.parametrize(
    ("scenario", "cheat", "says"),
    [
        ("json", "everywhere-in-a-crowd", UNKNOWN),
        ("page", "everywhere-in-a-crowd", UNKNOWN),
        ("queries", "everywhere-in-a-crowd", UNKNOWN),
        ("queries", "number-of-the-load", CLAMPED),
        ("updates", "number-of-the-load", CLAMPED),
        ("updates", "any-method-in-a-crowd", "a GET is answered 404 or 405: answered 200"),
        (
            "session-counter",
            "unsigned-in-a-crowd",
            "forged and meaningless cookies each begin a new session: the body is b'Count is ",
        ),
    ],
)
def test_what_no_request_of_the_load_needs_is_needed_beside_it(
    stage: Callable[..., Stage], scenario: str, cheat: str, says: str
) -> None:
    cheater = stage(scenario, cheat)
    cheater.verify("before")
    cheater.verify("after")  # Alone with its verifier it is honest.
    with pytest.raises(Mismatch, match=says):
        cheater.verify_in_a_crowd()


def test_one_that_is_honest_unless_it_was_lately_frozen_is_caught(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage("hello", "everywhere-in-turns")
    result = cheat.loaded()
    assert cheat.judged(result) == ""
    cheat.verify("after")
    cheat.verify_in_a_crowd()  # Always awake, it is honest.
    with pytest.raises(Mismatch, match=UNKNOWN):
        cheat.verify_in_a_crowd(rhythm=cheat.rhythm())


@pytest.mark.parametrize("scenario", ["hello", "cached", "page", "stream", "sse", "websocket-echo"])
def test_honest_servers_pass_in_turns(stage: Callable[..., Stage], scenario: str) -> None:
    """Above all where times are held against what they may be."""
    honest = stage(scenario)
    honest.verify("before")
    honest.verify_in_a_crowd(connections=10, rps=500.0, rhythm=honest.rhythm())
    assert all(item.ok for item in honest.verifier.evidence)


def test_a_visit_committed_after_its_answer_is_caught_beside_the_load(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage("session-counter", "answers-first-in-a-crowd")
    cheat.verify("before")
    cheat.verify("after")  # Alone with its verifier it is honest.
    with pytest.raises(Mismatch, match=r"the row holds \d+ after a visit that was answered with"):
        cheat.verify_in_a_crowd()


def test_an_honest_visit_is_in_its_row_once_it_is_answered(stage: Callable[..., Stage]) -> None:
    honest = stage("session-counter", "in-postgresql")
    honest.verify("before")
    honest.verify_in_a_crowd(connections=10, rps=500.0, rhythm=honest.rhythm())
    told = [item.claim for item in honest.verifier.evidence if item.phase == "after"]
    assert any("is in the row once it is answered" in claim for claim in told)
    assert all(item.ok for item in honest.verifier.evidence)
