"""Counts that are set in the table while the load runs, and what becomes of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
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
# Of visitors who come again all the while, hardly one comes no more once its count was set, unless
# the load is over: of those whose count was set earlier than by the last two changes, not so many.
NEVER_MET, BEFORE = 3, 2
# Answers that a row should have been written for, to be sure of it.
SURELY = 5


class Followed(NamedTuple):
    """What became of the counts that were set."""

    kept: int
    """Visits went on from them."""
    undone: int
    """Written over by the count that was there before."""
    stayed: int
    """Neither, although they were not among the last that were set."""
    effect: int
    """By how much they raised the sum."""


class Looked(NamedTuple):
    """A look into the table, by `time.monotonic`."""

    since_s: float
    """When the one before it was over ..."""
    until_s: float
    """... and when it began itself."""
    written: int | None
    """Rows of visitors who came again that had been written in between; see `Look`."""


class Moves:
    """What is set in one load; made just before it."""

    def __init__(self, random: Random) -> None:
        self.by_uid: dict[str, list[Moved]] = {}
        self.looks: list[Looked] = []
        self._changes: list[list[Moved]] = []
        self._random = random
        self._last = APART
        self._in_vain = 0
        # The table was looked into just now, and the load is next.
        self._looked_s = time.monotonic()

    def __len__(self) -> int:
        return sum(map(len, self.by_uid.values()))

    def next(self, store: Sessions) -> Change | None:
        """The counts of some visitors are set; None where none comes again, as in loads of which
        each request is a new visitor's."""
        if self._in_vain >= IN_VAIN or self._last > LARGEST - (AT_A_TIME + 1) * APART:
            return None
        counts = []
        # Who found nobody looks once: in loads of new visitors the table is large, and a look long.
        for _ in range(AT_ONCE if self._in_vain else AT_A_TIME):
            self._last += APART
            counts.append(self._last + self._random.randrange(APART // 2))

        def make() -> bool:
            since_s, until_s = self._looked_s, time.monotonic()
            with or_breakdown("counts cannot be set in usersessions"):
                moved, written = store.move(counts)
            self._looked_s = time.monotonic()
            self.looks.append(Looked(since_s, until_s, written))
            self._in_vain = 0 if moved else self._in_vain + 1
            if moved:
                self._changes.append(moved)
            for one in moved:
                self.by_uid.setdefault(one.uid, []).append(one)
            return bool(moved or written)

        return Change(make, counts=counts)

    def unwritten(self, answered: Iterable[tuple[float, float]]) -> Iterator[str | None]:
        """What is wrong with looks that found no visit written, although visitors who came again
        were answered since the look before: `answered` tells when each sampled request was sent,
        and by when it was answered."""
        times = list(answered)
        missed = [
            sum(look.since_s < sent_s and by_s < look.until_s for sent_s, by_s in times)
            for look in self.looks
            if look.written == 0
        ]
        if sum(missed) >= SURELY:
            yield (
                f"in {sum(map(bool, missed))} of them no row had been written for {sum(missed)} of"
                " the sampled answers, which had been given by then"
            )

    def followed(self, store: Sessions) -> Followed:
        """How the table holds them after the load."""
        with or_breakdown("counts cannot be read from usersessions"):
            last = store.counts(list(self.by_uid))
        early = {one.now for moved in self._changes[:-BEFORE] for one in moved}
        kept = undone = stayed = effect = 0
        for uid, moves in self.by_uid.items():
            found = [*(one.was for one in moves[1:]), last.get(uid, 0)]
            for one, later in zip(moves, found, strict=True):
                # Each count that is set is above all that any visitor had by then.
                if later < one.now:
                    undone += 1
                else:
                    effect += one.now - one.was
                    kept += later > one.now
                    stayed += later == one.now and one.now in early
        return Followed(kept, undone, stayed, effect)
