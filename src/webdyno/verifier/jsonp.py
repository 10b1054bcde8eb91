"""Answers that are scripts: JSON wrapped in the call of a function the client named (JSONP)."""

from __future__ import annotations

import json
import re
from typing import Any

from webdyno.verifier.base import media_problem

MEDIA = ("text/javascript", "application/javascript")
_NOT_IN_A_NAME = re.compile(r"[^\w$.\[\]]", re.ASCII)


class NotJsonp(Exception):
    """An answer is not the JSONP that was asked for."""


def kept(callback: str) -> str:
    """What a server keeps of a callback's name: the rest could be code of an attacker's."""
    return _NOT_IN_A_NAME.sub("", callback)


def frame(callback: str) -> tuple[str, str]:
    """What stands before and after the JSON.

    The form that Express and koa-safe-jsonp share: a comment against answers that are misread as
    another type of file, and a call only where the function is there.
    """
    name = kept(callback)
    return f"/**/ typeof {name} === 'function' && {name}(", ");"


def unwrap(status: int, content_type: str, body: bytes, callback: str) -> Any:
    """The value in a JSONP answer to a request with `callback`. Raises `NotJsonp`."""
    if status != 200:
        raise NotJsonp(f"answered {status}: {body[:80]!r}")
    if all(media_problem(content_type, media) for media in MEDIA):
        raise NotJsonp(f"content-type is '{content_type}', not '{MEDIA[0]}'")
    before, after = frame(callback)
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise NotJsonp(f"the body is not UTF-8: {body[:80]!r}") from None
    if not (text.startswith(before) and text.endswith(after)):
        raise NotJsonp(f"the body is {text[:120]!r}, not {before}…{after}")
    try:
        return json.loads(text[len(before) : len(text) - len(after)])
    except ValueError as error:
        raise NotJsonp(f"no JSON in the call ({error}): {text[:120]!r}") from None
