"""Claims and their evidence, parameters, media types, samples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from webdyno.errors import UserError
from webdyno.trial.proof.prove import evidence_of
from webdyno.verifier import Breakdown, Evidence, Mismatch, Sample, Verifier, media_problem


def verifier(**parameters: Any) -> Verifier:
    return Verifier(
        parameters=parameters, folder=Path("scenarios/json"), work=Path("work"), random=Random(1)
    )


def test_a_claim_that_holds_is_recorded_with_its_phase() -> None:
    subject = verifier()
    subject.phase = "after"
    subject.expect("the sum is right", True, "42 = 42")
    assert subject.evidence == [Evidence("the sum is right", True, "42 = 42", "after")]


def test_a_claim_that_fails_is_recorded_and_raised_on_one_line() -> None:
    subject = verifier()
    with pytest.raises(Mismatch, match=r"^not proven: the sum is right: 41 is not 42$"):
        subject.expect("the sum is right", False, "41\n is not 42")
    assert subject.evidence == [Evidence("the sum is right", False, "41 is not 42", "before")]


def test_a_remedy_is_recorded_with_a_claim_that_fails_and_no_other() -> None:
    subject = verifier()
    subject.expect("it is flushed", True, remedy="flush")
    subject.expect_each("all are flushed", [None], remedy="flush")
    with pytest.raises(Mismatch, match=r"^not proven: it is flushed: late$"):
        subject.expect("it is flushed", False, "late", remedy="flush")
    with pytest.raises(Mismatch, match=r"^not proven: all are flushed: late$"):
        subject.expect_each("all are flushed", [None, "late"], remedy="flush")
    assert [item.remedy for item in subject.evidence] == ["", "", "flush", "flush"]
    assert [item.remedy for item in evidence_of(subject)] == ["", "", "flush", "flush"]


@pytest.mark.parametrize("keep_alive", [True, False])
@pytest.mark.parametrize("closes", [True, False])
def test_connections_are_kept_or_closed_as_the_manifest_says(
    keep_alive: bool, closes: bool
) -> None:
    subject = verifier()
    subject.keep_alive = keep_alive
    headers = {"connection": "close"} if closes else {}
    answer = httpx.Response(200, headers=headers, extensions={"http_version": b"HTTP/1.1"})
    if keep_alive == closes:
        with pytest.raises(Mismatch, match=r"^not proven: HTTP/1\.1") as found:
            subject.expect_http(answer)
        assert ("keep it open, or state `keep_alive = false`" in str(found.value)) == keep_alive
    else:
        subject.expect_http(answer)
        (evidence,) = subject.evidence
        assert evidence.ok


def test_a_connection_may_be_closed_in_a_crowd_or_after_many_answers() -> None:
    subject = verifier()
    subject.phase = "after"
    for closes in ({"connection": "close"}, {}):
        answer = httpx.Response(200, headers=closes, extensions={"http_version": b"HTTP/1.1"})
        subject.expect_http(answer)
    older = httpx.Response(200, extensions={"http_version": b"HTTP/1.0"})
    with pytest.raises(Mismatch, match=r"^not proven: HTTP/1\.1: HTTP/1\.0, connection"):
        subject.expect_http(older)


def test_a_server_error_is_told_with_what_it_says() -> None:
    failed = httpx.Response(
        500, text="no such table", request=httpx.Request("GET", "http://127.0.0.1/json?a=1")
    )
    with pytest.raises(Breakdown, match=r"^/json\?a=1 was answered 500: b'no such table'$"):
        verifier().expect_http(failed)


def test_long_details_are_cut() -> None:
    with pytest.raises(Mismatch) as found:
        verifier().expect("it is short", False, "x" * 5000)
    assert len(str(found.value)) < 400
    assert str(found.value).endswith("x…")


def test_no_further_answer_is_asked_for_after_a_problem() -> None:
    asked = []

    def problems() -> Iterator[str | None]:
        for problem in (None, "wrong", None):
            asked.append(problem)
            yield problem

    with pytest.raises(Mismatch, match="all are right: wrong"):
        verifier().expect_each("all are right", problems())
    assert asked == [None, "wrong"]


def test_an_audit_of_nothing_is_no_proof_and_shows_no_lie() -> None:
    subject = verifier()
    with pytest.raises(Mismatch, match="kept for the audit: 0 answers") as found:
        subject.expect_samples([])
    assert found.value.is_breakdown
    assert [item.ok for item in subject.evidence] == [False]


def test_a_parameter_is_a_whole_number_in_range() -> None:
    assert verifier(n=7).whole("n", 1, 10) == 7


@pytest.mark.parametrize("value", ["7", 7.0, True, 0, 11, None])
def test_any_other_parameter_is_told_to_the_user(value: object) -> None:
    with pytest.raises(UserError, match=r"scenario json: parameter 'n' is .* from 1 to 10"):
        verifier(n=value).whole("n", 1, 10)


def test_tokens_have_their_length_and_differ() -> None:
    subject = verifier()
    seen = {subject.token(6) for _ in range(100)}
    assert len(seen) == 100
    assert all(len(token) == 6 and int(token, 16) >= 0 for token in seen)


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "text/plain; charset=utf-8",
        "Text/Plain;charset=UTF-8",
        'text/plain; charset="utf8"',
    ],
)
def test_a_charset_may_be_left_out_or_written_in_any_way(content_type: str) -> None:
    assert media_problem(content_type, "text/plain") is None


@pytest.mark.parametrize("content_type", ["", "text/html", "text/plain; charset=latin-1", "plain"])
def test_another_type_or_charset_is_a_problem(content_type: str) -> None:
    problem = media_problem(content_type, "text/plain")
    assert problem is not None
    assert f"content-type is '{content_type}'" in problem


def test_headers_of_a_sample_are_found_in_any_case() -> None:
    sample = Sample("json", {}, 200, [("Content-Type", "a"), ("content-type", "b")], b"", 0.1)
    assert sample.header("content-TYPE") == "a"
    assert sample.header("etag") == ""
