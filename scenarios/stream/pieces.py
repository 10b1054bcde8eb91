"""What an answer of `GET /stream` is made of, and what may be wrong with it."""

from __future__ import annotations

import math
import re

from webdyno.verifier.stamped import Stamps

PIECE = 4096
"""Bytes of a piece."""
MOST = 65_536
"""Pieces of the longest answer."""

_HEAD = re.compile(rb"([0-9]{10}) ([0-9]{18}) ([0-9]{16}) ")
_HEAD_BYTES = 10 + 1 + 18 + 1 + 16 + 1
_REST = b"." * (PIECE - _HEAD_BYTES - 1) + b"\n"


def made_s(piece: bytes) -> float | None:
    """When a piece says that it was made, in seconds since 1970; None where it is none."""
    found = _HEAD.match(piece)
    return int(found[3]) / 1e6 if found else None


def made_us(body: bytes) -> list[int]:
    """When the pieces of an answer that is right say that they were made, in microseconds since
    1970."""
    heads = (_HEAD.match(body, at) for at in range(0, len(body), PIECE))
    return [int(head[3]) for head in heads if head is not None]


def problem_of(
    body: bytes, count: int, tag: str, *, since_s: float = 0.0, until_s: float = math.inf
) -> str | None:
    """What is wrong with an answer of `count` pieces, made between two moments (in seconds since
    1970), each no earlier than the one before; None where it is right."""
    if len(body) != count * PIECE:
        return f"answered {len(body)} bytes instead of {count * PIECE}"
    stamps = Stamps("piece", since_s, until_s)
    for number in range(count):
        piece = body[number * PIECE : (number + 1) * PIECE]
        found = _HEAD.match(piece)
        if found is None or int(found[1]) != number or piece[_HEAD_BYTES:] != _REST:
            return f"piece {number} is {piece[:60]!r}…, {len(piece.rstrip(b'.'))} bytes to its end"
        if found[2].decode() != tag:
            return f"piece {number} has the tag {found[2].decode()} instead of {tag}"
        if problem := stamps.problem_of(number, int(found[3]) / 1e6):
            return problem
    return None
