"""What PostgreSQL has counted of a table: look-ups, scans and rows written."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from webdyno.runtime.services.psql import Psql

TOLD_LATE_S, AGAIN_S = 24.0, 0.25
"""A backend tells of what it did up to a second late, and once it is idle after ten seconds; where
another one tells at the same instant, after ten more."""


class TableWork(NamedTuple):
    """Work on one table since it was made, by all that is connected to the database.

    They are told late, and before PostgreSQL 15 perhaps never for what a backend did last: see
    `enough`.
    """

    looked_up: int
    """Look-ups by an index."""
    scanned: int
    """Scans of the whole table."""
    updated: int
    """Rows updated."""

    @classmethod
    def of(cls, psql: Psql, table: str) -> TableWork:
        """As it is now. Raises `ServiceError`."""
        [counts] = psql.rows(
            "SELECT coalesce(idx_scan, 0), seq_scan, n_tup_upd"
            " FROM pg_stat_user_tables WHERE relname = :'name'",
            name=table,
        )
        return cls(*map(int, counts))


def told_in_the_end(psql: Psql) -> float:
    """The share of look-ups and scans that `enough` sees at the least where it waits to its end:
    all since PostgreSQL 15, less a hundredth for rows that a request draws twice and reads once;
    before, half. Raises `ServiceError`."""
    [[version]] = psql.rows("SHOW server_version_num")
    return 0.99 if int(version) >= 150_000 else 0.5


def enough(look: Callable[[], TableWork], is_enough: Callable[[TableWork], bool]) -> TableWork:
    """The work once `is_enough` holds of it, or as it is when all must have been told."""
    ends = time.monotonic() + TOLD_LATE_S
    while not is_enough(work := look()) and time.monotonic() < ends:
        time.sleep(AGAIN_S)
    return work
