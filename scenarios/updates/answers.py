"""What an answer of `POST /updates` must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webdyno.verifier import json_answers
from webdyno.verifier.json_answers import Wrong
from webdyno.verifier.statistics import too_often, uneven

ROWS = 10_000


def rows_of(status: int, content_type: str, body: bytes, number: int) -> list[tuple[int, int]]:
    """Ids and quantities of an answer that should hold `number` rows. Raises `Wrong`."""
    rows = json_answers.rows_of(status, content_type, body, number=number, column="quantity")
    for id, _ in rows:
        if not 1 <= id <= ROWS:
            raise Wrong(f"the id {id} is not in 1..{ROWS}")
    if len({id for id, _ in rows}) < number:
        raise Wrong(f"a row appears twice: {body[:80]!r}")
    return rows


def not_at_random(drawn: Sequence[Sequence[int]]) -> Iterator[str | None]:
    """Why the ids of answers, in any order, are not drawn at random; None where they may be."""
    yield uneven([id - 1 for ids in drawn for id in ids], ROWS, drawn="the ids")
    neighbours = sum(id + 1 in held for held in map(set, drawn) for id in held)
    tries = sum(map(len, drawn))
    most = max(map(len, drawn), default=0)
    if too_often(neighbours, tries, 2 * most / ROWS):
        yield (
            f"{neighbours} of {tries} ids are followed by the next one: they are not drawn"
            " independently"
        )
