"""An engine that was built from other sources than the Python code beside it."""

from __future__ import annotations

import json

import pytest

from webdyno.errors import UserError
from webdyno.generators.engine import parse


def test_what_another_engine_says_is_told_in_one_line() -> None:
    said = json.dumps({"samples": [{"request": "page"}]})
    with pytest.raises(UserError, match=r"_engine\S*: the engine is of another version") as found:
        parse(said)
    assert "./webdyno" in str(found.value)
    assert "\n" not in str(found.value)
