"""Malformed answers are told in words."""

from __future__ import annotations

import pytest

from support.engine_output import engine_output, parsed_output
from webdyno.cli.hit.view import _errors
from webdyno.generators.malformed import in_words


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


def test_hit_shows_the_words() -> None:
    held = engine_output(malformed=3)
    held["errors_detail"][0]["detail"] = "bad_version"
    assert _errors(parsed_output(held))[1] == (
        "    3 × malformed: the answer does not begin with HTTP/1.0 or HTTP/1.1"
    )
