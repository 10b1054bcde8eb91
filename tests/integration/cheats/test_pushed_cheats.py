"""Servers that gather server-sent events, or send other ones, are caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.generators.engine import Engine
from webdyno.trial.proof.distinct import expect_distinct
from webdyno.trial.proof.prove import samples_of
from webdyno.verifier import Mismatch

Stage = Any

ONE_BY_ONE = r"with a gap between them come one by one: event \d came .* ms after event \d, with a"
RIGHT = "correct to the last byte: n=1: "
CONTINUES = "continues after the Last-Event-ID: n=20 after 1: "
CROWD = {"connections": 24, "rps": 1000.0}
# Cheat, and what the message must say.
BEFORE = [
    ("gathers", ONE_BY_ONE),
    ("gathers-pairs", ONE_BY_ONE),
    ("without-gap", ONE_BY_ONE),
    ("made-ahead", ONE_BY_ONE.replace("came", "was made")),
    ("gathers-unless-asked", "no chunk of .* holds more than one: 3 chunks, one with 8 events"),
    ("with-length", "in chunks, without its length: content-length: 15"),
    ("cacheable", "no cache may reuse an answer: cache-control is ''"),
    ("plain-text", RIGHT + "content-type is 'text/plain'"),
    ("kept", r"event 1 has the tag \d{18} instead of \d{18}"),
    ("kept-with-tag", r"event 1 was made \d+\.\d+ s before the request"),
    ("of-another", r"24 clients at once get their own events: event \d has the tag \d{18}"),
    ("ids-from-zero", RIGHT + "event 1 has the id b'0'"),
    ("without-ids", RIGHT + "event 1 is .*: not an id and data, a line each"),
    ("with-comments", RIGHT + "event 1 is b': here you are.*: not an id and data, a line each"),
    ("ignores-last-id", CONTINUES + "event 2 has the id b'1'"),
    ("repeats-last-id", CONTINUES + "event 2 has the id b'1'"),
    ("numbers-anew", CONTINUES + "event 2 has the id b'1'"),
    ("empty-at-the-end", "where no event is left, the answer is 204: answered 200"),
    ("no-empty-line", RIGHT + "the answer ends with .*, not with an empty line"),
    ("stamped-ahead", RIGHT + r"event 1 was made 0\.\d+ s after it arrived"),
    ("empty-gap", r"gap or id is answered 400: .*&gap= was answered 200"),
    ("any-number", "gap or id is answered 400: .* was answered 200"),
]


@pytest.mark.parametrize(("cheat", "says"), BEFORE)
def test_caught_before_the_load(stage: Callable[..., Stage], cheat: str, says: str) -> None:
    message = stage("sse", cheat).caught()
    assert re.search(says, message), message
    assert "\n" not in message


def test_one_that_gathers_is_told_to_flush(stage: Callable[..., Stage]) -> None:
    cheater = stage("sse", "gathers")
    cheater.caught()
    assert "flush it before the next is made" in cheater.verifier.evidence[-1].remedy


def test_an_honest_server_passes_from_start_to_end(stage: Callable[..., Stage]) -> None:
    stage("sse").passes(**CROWD)


def test_an_answer_that_lacks_an_event_fails_its_check(stage: Callable[..., Stage]) -> None:
    result = stage("sse", "short-when-warm").loaded()
    assert result.counts.failed_check > 0


def test_an_event_that_was_made_for_another_is_caught_by_the_audit(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("sse", "other-data-when-warm")
    result = cheater.loaded()
    assert result.counts.failed_check == 0  # Each by itself looks right.
    assert "events with the request's tag" in cheater.judged(result)


def test_events_that_are_sent_again_are_found_among_all_answers(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("sse", "repeats-when-warm")
    result = cheater.loaded()
    with pytest.raises(Mismatch, match="answers of the load is repeated"):
        expect_distinct(cheater.verifier, cheater.scenario, result)


@pytest.mark.usefixtures("aged")
@pytest.mark.parametrize("cheat", ["gathers-in-a-crowd", "gathers-when-old"])
def test_one_that_gathers_in_a_crowd_is_caught_in_the_midst_of_load(
    stage: Callable[..., Stage], cheat: str
) -> None:
    cheater = stage("sse", cheat)
    with pytest.raises(Mismatch, match=ONE_BY_ONE):
        cheater.verify_in_a_crowd(**CROWD)


def test_one_that_gathers_on_the_connections_of_a_crowd_is_caught_by_the_audit(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("sse", "gathers-for-a-crowd")
    result = cheater.loaded()
    assert result.counts.errors == 0
    assert "20 events came in 3 chunks" in cheater.judged(result)


def test_answers_that_were_made_for_an_earlier_request_are_caught_by_the_audit(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("sse", "kept-by-tag")
    cheater.loaded()
    # By the same seed, the same tags.
    result = Engine().run(cheater.job(0.5, connections=10))
    assert result.counts.errors == 0
    with pytest.raises(Mismatch, match=r"event 1 was made \d+\.\d+ s before the request"):
        cheater.verifier.audit(samples_of(result))


def test_one_that_looks_at_the_clock_once_an_answer_is_caught_by_the_audit(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("sse", "stamped-once")
    result = cheater.loaded()
    assert result.counts.errors == 0
    assert "the clock is read for each event: in" in cheater.judged(result)
