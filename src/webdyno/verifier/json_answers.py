"""Answers in JSON, read strictly."""

from __future__ import annotations

import json
from typing import Any

from webdyno.verifier.base import media_problem


class Wrong(Exception):
    """An answer is not what the contract says."""


def value_of(status: int, content_type: str, body: bytes) -> Any:
    """The value of an answer; an object is the list of its pairs, since a dict would hide a key
    that comes twice. Raises `Wrong` where the answer is not 200 with JSON."""
    if status != 200:
        raise Wrong(f"answered {status}: {body[:80]!r}")
    if problem := media_problem(content_type, "application/json"):
        raise Wrong(problem)
    try:
        # From bytes, `loads` would take UTF-16, UTF-32 and a BOM as well (RFC 8259, section 8.1).
        return json.loads(body.decode("utf-8"), object_pairs_hook=list)
    except (ValueError, RecursionError) as error:
        place = getattr(error, "pos", 0)
        raise Wrong(f"not JSON ({error}): {body[max(0, place - 60) : place + 40]!r}") from None


def rows_of(
    status: int, content_type: str, body: bytes, *, number: int, column: str
) -> list[tuple[int, int]]:
    """The rows of an answer that should be an array of `number` objects with two whole numbers,
    `id` and `column`, and nothing else. Raises `Wrong`."""
    items = value_of(status, content_type, body)
    if not isinstance(items, list) or (items and isinstance(items[0], tuple)):
        raise Wrong(f"not a JSON array: {body[:80]!r}")
    if len(items) != number:
        raise Wrong(f"{len(items)} rows, not {number}: {body[:80]!r}")
    return [_row(item, column) for item in items]


def _row(item: object, column: str) -> tuple[int, int]:
    pairs = item if isinstance(item, list) and all(type(part) is tuple for part in item) else []
    if sorted(key for key, _ in pairs) != sorted(["id", column]):
        raise Wrong(f"{json.dumps(item)[:80]} is not an object with 'id' and '{column}' alone")
    row = dict(pairs)
    for key, value in row.items():
        if type(value) is not int:
            raise Wrong(f"'{key}' is {json.dumps(value)[:80]}, not an integer")
    return row["id"], row[column]
