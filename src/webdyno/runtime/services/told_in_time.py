"""That work which PostgreSQL counted was done under load, and not before it or afterwards.

A statement that nobody waits for can look up as many rows, between two loads or after the last one,
as a load should have: its counters are then what they should be, once they are read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.table_work import TableWork
from webdyno.verifier.base import Verifier

LATE_S = 3.0
"""A backend that is used tells of what it did a second late at the most; see `table_work`. One that
is used no more keeps a second's work to itself for ten, but in a closed load others go on."""
LEAST = 0.5
"""The share of what is due that has to be told of by then."""
ENOUGH = 20
"""Sampled answers by which it is told how much is due."""

LOOKS = 3
"""Looks at the least, of which most have to agree."""


class LookAtWork(NamedTuple):
    """The counters at a moment of the load, on the clock of `time.monotonic`."""

    at_s: float
    work: TableWork


def look_at_work(psql: Psql, table: str) -> LookAtWork:
    """The counters now; `psql` is the owner's, and goes on. Raises `ServiceError`."""
    at_s = time.monotonic()
    return LookAtWork(at_s, TableWork.so_far(psql, table))


def judged(
    looks: Sequence[LookAtWork],
    before: TableWork,
    answered_s: Sequence[float],
    answers: int,
    requests: Callable[[TableWork], float],
) -> list[str | None]:
    """Of each look by which enough was due, what was told of by then, where that was far less; None
    where it was not.

    Of so many `answers` since the counters were as `before`, `answered_s` tells when each of some
    was given that were drawn at random; `requests` tells for how many requests work is enough.
    """
    found: list[str | None] = []
    for at_s, work in looks:
        due = sum(by_s < at_s - LATE_S for by_s in answered_s)
        if due < ENOUGH:
            continue
        wanted = answers * due / len(answered_s)
        told = requests(work.since(before))
        is_short = told < LEAST * wanted
        found.append(f"{told:.0f} of {wanted:.0f} answers" if is_short else None)
    return found


def told_too_late(found: Sequence[str | None]) -> str | None:
    """What was told of by the last of the looks that were `judged`, if that and most of those
    before it found far less than was due; None where they did not. One look may come after a pause
    of the machine, in which no backend was used."""
    short = [one for one in found if one is not None]
    if len(found) < LOOKS or found[-1] is None or 2 * len(short) <= len(found):
        return None
    return f"at the last of {len(found)} looks, there had been reads for {found[-1]}"


def expect_told_in_time(
    verifier: Verifier,
    looks: Sequence[LookAtWork],
    before: TableWork,
    answered_s: Sequence[float],
    requests: Callable[[TableWork], float],
    remedy: str,
    answers: int | None = None,
) -> None:
    """Record that the work for the answers of a load was counted while it went on, or for so many
    `answers` of it; see `judged` and `expect_few_late`. Raises `Mismatch`."""
    if not answered_s:
        return
    answers = verifier.sampled_from if answers is None else answers
    expect_few_late(verifier, judged(looks, before, answered_s, answers, requests), remedy)


def expect_few_late(
    verifier: Verifier, found: Sequence[str | None], remedy: str, late_s: float = LATE_S
) -> None:
    """Record that by most looks in which reads were due, which were made so long ago, half of them
    were told of; `found` says of each what was missing, if much was. Nothing where there were too
    few looks, or where the load may have paused. Raises `Mismatch`."""
    if verifier.goes_on and len(found) >= LOOKS:
        verifier.expect_each(
            "while the load went on, PostgreSQL had counted at least half of the reads that were"
            f" {late_s:g} s old, by {len(found)} looks at its counters",
            [told_too_late(found)],
            remedy=remedy,
        )
