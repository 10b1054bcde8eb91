"""Servers that do not wait for their clients, or send other pieces, are caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.trial.proof.distinct import expect_distinct
from webdyno.verifier import Mismatch

Stage = Any

WAITED_FOR = (
    r"waits for a client that stops reading for 0\.6 s.*piece 4096 was made \d+\.\d+ s before that"
)
CROWD = {"connections": 24, "rps": 1000.0}
# Cheat, and what the message must say.
BEFORE = [
    ("collects", WAITED_FOR),
    ("never-waits", WAITED_FOR),
    ("collects-unless-narrow", WAITED_FOR),
    ("stamped-once", WAITED_FOR),
    (
        "stamped-ahead",
        r"correct to the last byte: n=1: piece 0 was made 0\.\d+ s after it arrived",
    ),
    ("with-length", "in chunks, without its length: content-length is 245760"),
    ("numbered-from-one", "correct to the last byte: n=1: piece 0 is b'0000000001 "),
    ("other-tag", r"n=15: piece 3 has the tag \d{18} instead of \d{18}"),
    ("fewer-dots", "n=1: piece 0 is b'0000000000 "),
    ("any-number", "an invalid n or tag is answered 400: .* was answered 200"),
]


@pytest.mark.parametrize(("cheat", "says"), BEFORE)
def test_caught_before_the_load(stage: Callable[..., Stage], cheat: str, says: str) -> None:
    message = stage("stream", cheat).caught()
    assert re.search(says, message), message
    assert "\n" not in message


def test_an_honest_server_passes_from_start_to_end(stage: Callable[..., Stage]) -> None:
    stage("stream").passes(**CROWD)


def test_an_answer_that_lacks_a_piece_fails_its_check(stage: Callable[..., Stage]) -> None:
    result = stage("stream", "short-when-warm").loaded()
    assert result.counts.failed_check > 0


def test_another_requests_tag_is_caught_by_the_audit(stage: Callable[..., Stage]) -> None:
    cheater = stage("stream", "other-tag-when-warm")
    result = cheater.loaded()
    assert result.counts.failed_check == 0  # Each by itself looks right.
    assert "pieces with the request's tag" in cheater.judged(result)


@pytest.mark.parametrize(
    ("cheat", "says"),
    [
        ("with-length-when-warm", "have no Content-Length: content-length is 245760"),
        ("short-ones-stamped-once", "the clock is read for each piece: in"),
    ],
)
def test_what_sampled_answers_show_is_caught_by_the_audit(
    stage: Callable[..., Stage], cheat: str, says: str
) -> None:
    cheater = stage("stream", cheat)
    result = cheater.loaded()
    assert result.counts.errors == 0
    assert re.search(says, cheater.judged(result))


def test_pieces_that_are_sent_again_are_found_among_all_answers(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("stream", "repeats-when-warm")
    result = cheater.loaded()
    with pytest.raises(Mismatch, match="answers of the load is repeated"):
        expect_distinct(cheater.verifier, cheater.scenario, result)


@pytest.mark.usefixtures("aged")
@pytest.mark.parametrize(
    "cheat", ["collects-in-a-crowd", "collects-when-old", "collects-unless-repeated"]
)
def test_one_that_collects_in_a_crowd_is_caught_in_the_midst_of_load(
    stage: Callable[..., Stage], cheat: str
) -> None:
    cheater = stage("stream", cheat)
    assert cheater.judged(cheater.loaded()) == ""
    cheater.verify("after")  # Alone with its verifier it is honest.
    with pytest.raises(Mismatch, match=WAITED_FOR):
        cheater.verify_in_a_crowd(**CROWD)
