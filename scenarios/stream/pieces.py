"""What an answer of `GET /stream` is made of, and what may be wrong with it."""

from __future__ import annotations

import math
import re

PIECE = 4096
"""Bytes of a piece."""
MOST = 65_536
"""Pieces of the longest answer."""
SLACK_S = 0.05
"""By what the system's clock may be put forward or back between two looks at it."""

_HEAD = re.compile(rb"([0-9]{10}) ([0-9]{18}) ([0-9]{16}) ")
_HEAD_BYTES = 10 + 1 + 18 + 1 + 16 + 1
_REST = b"." * (PIECE - _HEAD_BYTES - 1) + b"\n"


def made_s(piece: bytes) -> float | None:
    """When a piece says that it was made, in seconds since 1970; None where it is none."""
    found = _HEAD.match(piece)
    return int(found[3]) / 1e6 if found else None


def problem_of(
    body: bytes, count: int, tag: str, *, since_s: float = 0.0, until_s: float = math.inf
) -> str | None:
    """What is wrong with an answer of `count` pieces, made between two moments (in seconds since
    1970), each no earlier than the one before; None where it is right."""
    if len(body) != count * PIECE:
        return f"answered {len(body)} bytes instead of {count * PIECE}"
    last_s = since_s
    for number in range(count):
        piece = body[number * PIECE : (number + 1) * PIECE]
        found = _HEAD.match(piece)
        if found is None or int(found[1]) != number or piece[_HEAD_BYTES:] != _REST:
            return f"piece {number} is {piece[:60]!r}…, {len(piece.rstrip(b'.'))} bytes to its end"
        if found[2].decode() != tag:
            return f"piece {number} has the tag {found[2].decode()} instead of {tag}"
        now_s = int(found[3]) / 1e6
        if now_s < last_s - SLACK_S:
            what = "the request" if number == 0 else "the piece before"
            return f"piece {number} was made {last_s - now_s:.6f} s before {what}"
        if now_s > until_s + SLACK_S:
            return f"piece {number} was made {now_s - until_s:.6f} s after it arrived"
        last_s = now_s
    return None
