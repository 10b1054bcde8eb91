"""Rows that rise behind the server's back while the load runs."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

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
# All quantities as they are committed, without waiting for anybody, and without the index; in
# parts, because a CSV reader takes no field of more than 128 kB.
PART = 1000
HELD = f"SELECT 0, string_agg(id || ' ' || quantity, ' ') FROM stock GROUP BY id / {PART};"
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
    held: Sequence[tuple[float, str]] = ()
    """What the table held at each change, before it: ids and quantities, and from when on, on the
    same clock."""

    def make(self, run: Callable[..., list[list[str]]], by: Mapping[int, int]) -> None:
        """Raise rows `by` so much each; `run` runs statements."""
        changes = "".join(RAISE.format(id=id, by=up) for id, up in by.items())
        looked_s = time.monotonic()
        answered = run(HELD + FREE + changes, first=min(by) % LOOKED_AT_ONE_IN)
        parts = answers.ROWS // PART + 1
        self.held = [*self.held, (looked_s, " ".join(part for _, part in answered[:parts]))]
        [_, free], *told = answered[parts:]
        self.least_free = min(self.least_free, int(free))
        rows = {int(id): int(quantity) for id, quantity in told}
        self.given = [*self.given, (time.monotonic(), rows)]
        self.by += sum(by.values())
        self.rows += len(by)

    def risen_to(self, id: int, by_s: float) -> int:
        """What the changes that were complete `by_s` had given this row; 0 where none of them."""
        return max((rows.get(id, 0) for at_s, rows in self.given if at_s <= by_s), default=0)

    def not_committed(
        self, answered: Iterable[tuple[float, Sequence[tuple[int, int]]]]
    ) -> Iterator[str | None]:
        """What is wrong with answers, each with the moment by which it was given and its rows: one
        that a look into the table did not find there, although the look came later. Quantities
        never fall."""
        given = sorted(answered, key=itemgetter(0))
        for looked_s, text in self.held:
            numbers = list(map(int, text.split()))
            held = dict(zip(numbers[::2], numbers[1::2], strict=True))
            for by_s, rows in given[: bisect_left(given, looked_s, key=itemgetter(0))]:
                for id, quantity in rows:
                    if held[id] < quantity:
                        yield (
                            f"row {id} was answered with {quantity}; {looked_s - by_s:.4f} s later"
                            f" it held {held[id]}"
                        )
