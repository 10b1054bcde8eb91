"""Why requests failed is told in words."""

from __future__ import annotations

import pytest

from support.engine_output import engine_output, parsed_output
from webdyno.cli.hit.view import _errors
from webdyno.generators.malformed import failure_in_words, in_words


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        ("bad_version", "the answer does not begin with HTTP/1.0 or HTTP/1.1"),
        ("truncated_body", "the connection closed before the end of the body"),
        ("masked_frame", "masked frame"),
        ("expected /items_2, got 404", "expected /items_2, got 404"),
        ("", ""),
    ],
)
def test_names_become_words_and_sentences_stay(detail: str, told: str) -> None:
    assert in_words(detail) == told


@pytest.mark.parametrize(
    ("kind", "detail", "told"),
    [
        ("wrong_status", "status: expected 2xx, got 404", "wrong status: expected 2xx, got 404"),
        ("timed_out", "no answer in time", "timed out: no answer"),
        (
            "timed_out",
            "the answer was not complete in time",
            "timed out: the answer was not complete",
        ),
        ("timed_out", "connection timed out", "connection timed out"),
        ("refused", "connection refused", "connection refused"),
        ("reset", "closed without an answer", "reset: closed without an answer"),
        ("reset", "connection reset by peer", "connection reset by peer"),
        ("malformed", "bad_status_line", "malformed: the status line is broken"),
        (
            "failed_check",
            'body: expected "a", got "b"',
            'failed check: body: expected "a", got "b"',
        ),
        ("late", "", "late"),
    ],
)
def test_no_failure_says_its_kind_twice(kind: str, detail: str, told: str) -> None:
    assert failure_in_words(kind, detail) == told


def test_hit_shows_the_words() -> None:
    held = engine_output(malformed=3)
    held["errors_detail"][0]["detail"] = "bad_version"
    assert _errors(parsed_output(held))[1] == (
        "    3 × malformed: the answer does not begin with HTTP/1.0 or HTTP/1.1"
    )
