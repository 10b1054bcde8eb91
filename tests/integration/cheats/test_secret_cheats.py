"""A server that does not sign the counter's cookie with the secret that it is given is caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

NAME = "session-counter"
KEPT = "valid for every start with the same WEBDYNO_SECRET.*the body is b'Count is 1'"
REFUSED = r"not valid for a start with another WEBDYNO_SECRET.*the body is b'Count is \d+'"

CAUGHT = [
    ("constant-secret", REFUSED),
    ("secret-from-the-build", REFUSED),
    ("length-of-the-secret", REFUSED),
    ("token-in-table", REFUSED),
    ("secret-drawn", KEPT),
    ("token-in-memory", KEPT),
    ("honest-when-started-again", KEPT),
]


@pytest.mark.parametrize(("cheat", "says"), CAUGHT)
def test_caught_by_starting_the_server_again(
    stage: Callable[..., Any], cheat: str, says: str
) -> None:
    message = stage(NAME, cheat).caught_restarted()
    assert re.search(says, message), message
    assert "\n" not in message


def test_an_honest_server_passes_again_and_again(stage: Callable[..., Any]) -> None:
    honest = stage(NAME)
    honest.verify()
    for _ in range(5):
        honest.verify_restarted()
    honest.verify("after")
    assert all(item.ok for item in honest.verifier.evidence)
