"""Why requests failed, in words."""

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


def failure_in_words(kind: str, detail: str) -> str:
    """The kind of an error and its detail, such as `wrong status: expected 2xx, got 404`, neither
    of which says again what the other says."""
    named, told = kind.replace("_", " "), in_words(detail)
    last = named.split()[-1]
    told = told.removeprefix(f"{last}: ").removesuffix(" in time" if kind == "timed_out" else "")
    if not told or re.search(rf"\b{re.escape(named)}\b", told):
        return told or named
    return f"{named}: {told}"


@functools.cache
def _words() -> dict[str, str]:
    return _engine.malformed()
