"""The rule for a number in the query that several scenarios have: how much is asked for at once."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

MOST = 500
"""No answer has more rows than this, however many are asked for."""

QUERIES = {
    "": 1,
    "?n=": 1,
    "?n=abc": 1,
    "?n=0": 1,
    "?n=-5": 1,
    "?n=1.5": 1,
    "?n=5abc": 1,
    "?n=1": 1,
    "?n=2": 2,
    # Wrapped to 8 or 16 bits, 257 and 65541 are small.
    "?n=257": 257,
    f"?n={MOST}": MOST,
    f"?n={MOST + 1}": MOST,
    "?n=65541": MOST,
}
"""Queries, and the rows that each must be answered with."""

RULE = f"n is clamped to 1..{MOST}, and is 1 if missing or not a whole number"
"""The claim, in words."""

_LARGE = "?n=257"
_FEW = 3


def few(random: Random) -> Mapping[str, int]:
    """Some of `QUERIES`, for a verification beside a load that always asks for the same number: a
    large one, and others drawn by lot that cost next to nothing."""
    small = [query for query, rows in QUERIES.items() if rows < 3]
    return {query: QUERIES[query] for query in (*random.sample(small, _FEW), _LARGE)}
