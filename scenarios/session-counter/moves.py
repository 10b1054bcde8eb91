"""Counts that are set in the table while the load runs, and what becomes of them."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.sessions import AT_ONCE, Moved, Sessions
from webdyno.verifier import Change

# Counts that are set in one change; so far apart that no visits lead from one to the next; and the
# largest that fits into 31 bits.
AT_A_TIME, APART, LARGEST = 3 * AT_ONCE, 500_000, 2_100_000_000
# After so many changes in a row that found no count to set, no visitor comes again.
IN_VAIN = 3
# A visit that has read its row before the count is set, and writes it after, undoes that. The rows
# that were written last are chosen, so that honest servers leave more than one in four: that one
# undoes all of so many has a chance below 0.75 ** 50, 6e-7.
ENOUGH = 50


class Followed(NamedTuple):
    """What became of the counts that were set."""

    kept: int
    """Visits went on from them."""
    undone: int
    """Written over by the count that was there before."""
    effect: int
    """By how much they raised the sum."""


class Moves:
    """What is set in one trial."""

    def __init__(self, random: Random) -> None:
        self.by_uid: dict[str, list[Moved]] = {}
        self._random = random
        self._last = APART
        self._in_vain = 0

    def __len__(self) -> int:
        return sum(map(len, self.by_uid.values()))

    def next(self, store: Sessions) -> Change | None:
        """The counts of some visitors are set; None where none comes again, as in loads of which
        each request is a new visitor's."""
        if self._in_vain >= IN_VAIN or self._last > LARGEST - (AT_A_TIME + 1) * APART:
            return None
        counts = []
        for _ in range(AT_A_TIME):
            self._last += APART
            counts.append(self._last + self._random.randrange(APART // 2))

        def make() -> None:
            with or_breakdown("counts cannot be set in usersessions"):
                moved = store.move(counts)
            self._in_vain = 0 if moved else self._in_vain + 1
            for one in moved:
                self.by_uid.setdefault(one.uid, []).append(one)

        return Change(make, counts=counts)

    def followed(self, store: Sessions) -> Followed:
        """How the table holds them after the load."""
        with or_breakdown("counts cannot be read from usersessions"):
            last = store.counts(list(self.by_uid))
        kept = undone = effect = 0
        for uid, moves in self.by_uid.items():
            found = [*(one.was for one in moves[1:]), last.get(uid, 0)]
            for one, later in zip(moves, found, strict=True):
                # Each count that is set is above all that any visitor had by then.
                if later < one.now:
                    undone += 1
                else:
                    effect += one.now - one.was
                    kept += later > one.now
        return Followed(kept, undone, effect)
