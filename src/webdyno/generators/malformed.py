"""What is wrong with an answer that breaks the protocol, in words."""

from __future__ import annotations

import functools
import re

from webdyno import _engine

_NAME = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")


def in_words(detail: str) -> str:
    """The detail of an error as a person reads it: `bad_version` as a sentence; others as they
    are."""
    if words := _words().get(detail):
        return words
    return detail.replace("_", " ") if _NAME.fullmatch(detail) else detail


@functools.cache
def _words() -> dict[str, str]:
    return _engine.malformed()
