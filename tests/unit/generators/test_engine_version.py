"""An engine that was built from other sources than the Python code beside it."""

from __future__ import annotations

import json

import pytest

from webdyno.errors import UserError
from webdyno.generators.engine import parse, read_engine_message
from webdyno.generators.progress import LoadProgress


def test_what_another_engine_says_is_told_in_one_line() -> None:
    said = json.dumps({"samples": [{"request": "page"}]})
    with pytest.raises(
        UserError, match=r"_engine\S*: the engine does not match this Python code"
    ) as found:
        parse(said)
    assert "./webdyno" in str(found.value)
    assert "\n" not in str(found.value)


def test_what_is_no_json_and_progress_are_told_so_too() -> None:
    with pytest.raises(UserError, match=r"\(its text: Invalid JSON"):
        parse("{")
    with pytest.raises(UserError, match=r"does not match this Python code \("):
        read_engine_message(LoadProgress, json.dumps({"share": "none"}))
