"""What became of the requests: every kind of ending, which together are the requests offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.store.counts import RequestCounts

if TYPE_CHECKING:
    from webdyno.report.section import EntryRow, Section

KINDS = {
    "ok": "answered",
    "timed_out": "timed out",
    "reset": "reset",
    "refused": "refused",
    "wrong_status": "wrong status",
    "failed_check": "wrong answer",
    "malformed": "malformed",
    "not_sent": "not sent in time",
    "client_limit": "no file descriptor or port left here",
    "unfinished": "cut off by the end",
}
"""Every way a request can end, and how the table calls it."""


@dataclass(frozen=True)
class EndingRow:
    """One entry: requests over all its trials, by kind of ending; `adds_up` to those offered."""

    entry: str
    offered: int
    counts: tuple[int, ...]
    adds_up: bool


@dataclass(frozen=True)
class Endings:
    """The kinds that occurred, and a row for each entry that was measured."""

    kinds: tuple[str, ...]
    rows: tuple[EndingRow, ...]


def endings(section: Section) -> Endings | None:
    """The table of `section`; None where every request was answered."""
    each = {row.entry: _summed(row) for row in section.rows}
    summed = {entry: counts for entry, counts in each.items() if counts is not None}
    seen = {kind for counts in summed.values() for kind in KINDS if counts.of([kind])}
    if not seen - {"ok", "unfinished"}:
        return None
    kinds = tuple(kind for kind in KINDS if kind in seen)
    return Endings(
        kinds=tuple(KINDS[kind] for kind in kinds),
        rows=tuple(
            EndingRow(
                entry=entry,
                offered=counts.offered,
                counts=tuple(counts.of([kind]) for kind in kinds),
                adds_up=counts.of(KINDS) == counts.offered,
            )
            for entry, counts in summed.items()
        ),
    )


def _summed(row: EntryRow) -> RequestCounts | None:
    known = [trial.measurement.counts for trial in row.trials if trial.measurement is not None]
    return sum(known, RequestCounts()) if known else None
