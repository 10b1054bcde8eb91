"""Servers that hash less than a body, or do not take every body, are caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.trial.proof.distinct import expect_distinct
from webdyno.trial.proof.prove import samples_of
from webdyno.verifier import Mismatch

Stage = Any
BYTES = 64 * 1024

# Cheat, and what the message must say.
BEFORE = [
    ("first-kilobyte", r"bodies of 0, 1, .*: 4095 bytes, .*answered the digest"),
    ("by-both-ends", r"differ from such ones in one byte.*where byte \d+ differs: .* the digest"),
    (
        "rest-by-arrival",
        r"differ from such ones in one byte.*where byte \d+ differs: .* the digest",
    ),
    ("text-only", r"random bytes: \d+ bytes, .*answered the digest"),
    ("with-length-only", r"chunked bodies.* in 6 chunks.*answered a length of 0"),
    ("few-parts", r"whatever their content and Content-Type: .*answered 500"),
    ("limited", r"a body of 12 MiB is hashed, too: .*answered 400"),
    ("by-get", "a GET is answered 404 or 405: answered 200"),
    ("upper-case", "not 'sha256:DIGEST LENGTH'"),
]


@pytest.mark.parametrize(("cheat", "says"), BEFORE)
def test_caught_before_the_load(stage: Callable[..., Stage], cheat: str, says: str) -> None:
    message = stage("upload", cheat, bytes=BYTES).caught()
    assert re.search(says, message), message
    assert "\n" not in message


def test_an_honest_server_passes_from_start_to_end(stage: Callable[..., Stage]) -> None:
    # With bodies of a megabyte, as studies have them.
    samples = samples_of(stage("upload").passes())
    # What is told of a request is what was drawn for it, and not the megabyte behind that.
    assert {len(sample.variables["number"]) for sample in samples} == {18}


def test_digests_that_are_made_up_are_caught_by_the_audit(stage: Callable[..., Stage]) -> None:
    cheater = stage("upload", "made-up-when-warm", bytes=BYTES)
    result = cheater.loaded()
    assert result.counts.failed_check == 0  # Each by itself looks right.
    assert "hold the digest of their own body" in cheater.judged(result)


def test_a_digest_that_is_given_again_is_found_among_all_answers(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("upload", "repeats-when-warm", bytes=BYTES)
    result = cheater.loaded()
    with pytest.raises(Mismatch, match="answers of the load is repeated"):
        expect_distinct(cheater.verifier, cheater.scenario, result)


def test_a_body_taken_from_an_earlier_one_is_caught_in_the_midst_of_load(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("upload", "rest-in-a-crowd", bytes=BYTES)
    assert cheater.judged(cheater.loaded()) == ""
    cheater.verify("after")  # Alone with its verifier it is honest.
    with pytest.raises(
        Mismatch, match=r"differ from such ones in one byte.*own digests: .*the digest"
    ):
        cheater.verify_in_a_crowd()


def test_a_body_put_together_from_an_earlier_one_lacks_its_marks(
    stage: Callable[..., Stage],
) -> None:
    cheater = stage("upload", "rest-when-warm", bytes=BYTES)
    result = cheater.loaded()
    assert result.counts.failed_check == 0
    assert "hold the digest of their own body" in cheater.judged(result)


@pytest.mark.parametrize("cheat", ["rest-by-birth", "rest-unless-repeated"])
def test_connections_of_a_proof_are_opened_as_those_of_the_load_are(
    stage: Callable[..., Stage], cheat: str
) -> None:
    """Among them, so that in a few trials one at least is opened beside as many."""
    cheater = stage("upload", cheat, bytes=BYTES)
    assert cheater.judged(cheater.loaded()) == ""
    cheater.verify("after")  # On connections opened beside few others it is honest.

    def said() -> str:
        try:
            cheater.verify_in_a_crowd()
        except Mismatch as mismatch:
            return str(mismatch)
        return ""

    found = next(filter(None, (said() for _ in range(6))), "")
    assert re.search(r"differ from such ones in one byte.*where byte \d+ differs", found), found
