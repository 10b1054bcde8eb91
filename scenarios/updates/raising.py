"""Rows that rise behind the server's back while the load runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from webdyno.verifier import beside

answers = beside(__file__, "answers")

AT_ONCE = 200
# Of every so many-th row, how many nobody holds at this moment: without waiting for the others, and
# without the index, whose use is counted.
LOOKED_AT_ONE_IN = 50
LOOKED_AT = answers.ROWS // LOOKED_AT_ONE_IN
FREE = f"""
    SELECT 0, count(*) FROM (
        SELECT FROM stock WHERE id % {LOOKED_AT_ONE_IN} = :first FOR NO KEY UPDATE SKIP LOCKED
    ) AS free;
"""
# Each in a transaction of its own: nobody's order of locks can be in its way.
RAISE = "UPDATE stock SET quantity = quantity + {by} WHERE id = {id} RETURNING id, quantity;"
# The most of the table that transactions under way may hold for what is found to be told by: by
# chance, more than half of the rows drawn are then held once in 10 ** 14 times.
MOST_HELD = 0.25


@dataclass
class Raised:
    """What our own changes did during a load."""

    by: int = 0
    """By how much they raised the table ..."""
    rows: int = 0
    """... and in how many rows, each looked up and written in a transaction of its own."""
    least_free: int = LOOKED_AT
    """The fewest of the rows looked at that nobody held just before a change."""
    given: Sequence[tuple[float, Mapping[int, int]]] = ()
    """The quantities that each change gave, and when it was complete, on the clock of
    `time.monotonic`."""

    def make(self, run: Callable[..., list[list[str]]], by: Mapping[int, int]) -> None:
        """Raise rows `by` so much each; `run` runs statements."""
        changes = "".join(RAISE.format(id=id, by=up) for id, up in by.items())
        [_, free], *told = run(FREE + changes, first=min(by) % LOOKED_AT_ONE_IN)
        self.least_free = min(self.least_free, int(free))
        rows = {int(id): int(quantity) for id, quantity in told}
        self.given = [*self.given, (time.monotonic(), rows)]
        self.by += sum(by.values())
        self.rows += len(by)

    def risen_to(self, id: int, by_s: float) -> int:
        """What the changes that were complete `by_s` had given this row; 0 where none of them."""
        return max((rows.get(id, 0) for at_s, rows in self.given if at_s <= by_s), default=0)
