"""What an answer of `POST /updates` must be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from webdyno.verifier import media_problem
from webdyno.verifier.statistics import too_often, uneven

ROWS = 10_000

Row = tuple[int, int]


class Wrong(Exception):
    """An answer is not what the contract says."""


def rows_of(status: int, content_type: str, body: bytes, number: int) -> list[Row]:
    """Ids and quantities of an answer that should hold `number` rows. Raises `Wrong`."""
    if status != 200:
        raise Wrong(f"answered {status}: {body[:80]!r}")
    if problem := media_problem(content_type, "application/json"):
        raise Wrong(problem)
    try:
        # Pairs, not a dict: a dict would hide a key that comes twice.
        items = json.loads(body, object_pairs_hook=list)
    except ValueError as error:
        raise Wrong(f"not JSON ({error}): {body[:80]!r}") from None
    if not isinstance(items, list) or (items and isinstance(items[0], tuple)):
        raise Wrong(f"not a JSON array: {body[:80]!r}")
    if len(items) != number:
        raise Wrong(f"{len(items)} rows, not {number}: {body[:80]!r}")
    rows = [_row(item) for item in items]
    if len({id for id, _ in rows}) < number:
        raise Wrong(f"a row comes twice: {body[:80]!r}")
    return rows


def _row(item: object) -> Row:
    pairs = item if isinstance(item, list) and all(type(part) is tuple for part in item) else []
    if sorted(key for key, _ in pairs) != ["id", "quantity"]:
        raise Wrong(f"{json.dumps(item)[:80]} is no object of 'id' and 'quantity' alone")
    found = dict(pairs)
    for key, value in found.items():
        if type(value) is not int:
            raise Wrong(f"'{key}' is {value!r}, not an integer")
    if not 1 <= found["id"] <= ROWS:
        raise Wrong(f"the id {found['id']} is none of 1..{ROWS}")
    return found["id"], found["quantity"]


def not_at_random(drawn: Sequence[Sequence[int]]) -> Iterator[str | None]:
    """Why the ids of answers, in any order, are not drawn at random; None where they may be."""
    yield uneven([id - 1 for ids in drawn for id in ids], ROWS, drawn="the ids")
    neighbours = sum(id + 1 in held for held in map(set, drawn) for id in held)
    tries = sum(map(len, drawn))
    most = max(map(len, drawn), default=0)
    if too_often(neighbours, tries, 2 * most / ROWS):
        yield f"{neighbours} of {tries} ids are followed by the next one: they are not drawn apart"
