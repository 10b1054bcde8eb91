"""What PostgreSQL has counted of a table: look-ups, scans and rows written."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.psql import Psql
from webdyno.verifier.records import Breakdown

TOLD_LATE_S, AGAIN_S = 24.0, 0.25
"""A backend tells of what it did up to a second late, and of the rest once it has been idle for ten
seconds. On a busy machine it may be late, and only who never tells is waited for to the end."""


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
    fetched: int
    """Rows read by an index."""
    passed: int
    """Rows read by scans of the whole table."""
    transactions: int
    """Transactions in the database, whatever they did, committed or not."""

    @classmethod
    def of(cls, psql: Psql, table: str) -> TableWork:
        """As it is now. Raises `ServiceError`."""
        # What we did ourselves is then counted, too.
        psql.close()
        return cls.so_far(psql, table)

    @classmethod
    def so_far(cls, psql: Psql, table: str) -> TableWork:
        """The same, without what `psql` has not told of yet. Raises `ServiceError`."""
        [counts] = psql.rows(
            "SELECT coalesce(idx_scan, 0), seq_scan, n_tup_upd, coalesce(idx_tup_fetch, 0),"
            " seq_tup_read, xact_commit + xact_rollback"
            " FROM pg_stat_user_tables, pg_stat_database"
            # A server may have a table of that name in a schema of its own.
            " WHERE relid = (:'name')::regclass AND datname = current_database()",
            name=table,
        )
        return cls(*map(int, counts))

    @property
    def read(self) -> int:
        """How often the table was read, in whatever way the planner chose."""
        return self.looked_up + self.scanned

    @property
    def rows_read(self) -> int:
        """Rows that were read by that."""
        return self.fetched + self.passed

    def whole_reads(self, rows: int) -> float:
        """For how many requests it is enough, of which each reads a table of so many rows, all of
        them, in a transaction of its own."""
        return min(self.read, self.transactions, self.rows_read / rows)

    def since(self, before: TableWork) -> TableWork:
        """What was done after `before`."""
        return TableWork(*(now - then for now, then in zip(self, before, strict=True)))


def least_told(psql: Psql, *, thorough: bool) -> float:
    """The share of look-ups and scans to wait for with `enough`, which sees it of every server that
    made them all. Raises `ServiceError`.

    Since PostgreSQL 15, that is all of them less a hundredth if the verifier is `thorough`, for
    which most loads take ten seconds of waiting, and nine tenths if not; before, half.
    """
    if not _tells_all(psql):
        return 0.5
    return 0.99 if thorough else 0.9


def _tells_all(psql: Psql) -> bool:
    """Whether each backend tells of all that it did once it is idle for long enough."""
    [[version]] = psql.rows("SHOW server_version_num")
    return int(version) >= 150_000


def untold(psql: Psql, answered: int, told: float) -> float:
    """How many of the requests `answered` before a load the counters tell of together with that
    load's, at the least: by then they had told of `told`. Or how many of the look-ups made for
    them.

    None before PostgreSQL 15, which may never tell of it. Raises `ServiceError`.

    At a thousand answers a second it may be nearly a thousand of them: left out, they would make up
    for one in ten of a load of ten seconds.
    """
    return max(0.0, answered - told) if _tells_all(psql) else 0.0


def with_untold(answers: str, late: float) -> str:
    """`answers` of a load, with those that came `late` to the counters, if any."""
    if late < 0.5:
        return answers
    return f"{answers}, and {late:.0f} of the warm-up that were not counted before the load"


def enough(
    psql: Psql, look: Callable[[], TableWork], is_enough: Callable[[TableWork], bool]
) -> TableWork:
    """The work once `is_enough` holds of it, or as it is when all must have been told. Raises
    `Breakdown` where it cannot have been."""
    ends = time.monotonic() + TOLD_LATE_S
    while not (done := is_enough(work := look())) and time.monotonic() < ends:
        time.sleep(AGAIN_S)
    # A backend tells of nothing while its client is in a transaction, however long it is idle.
    if not done and (silent := _in_transaction(psql)):
        raise Breakdown(
            "PostgreSQL does not count the work of connections that are idle in a transaction"
            f" (now {silent}); end each transaction before the answer"
        )
    return work


def _in_transaction(psql: Psql) -> int:
    """Connections of others that are idle in a transaction."""
    with or_breakdown("PostgreSQL's connections cannot be inspected"):
        [[number]] = psql.rows(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND state LIKE 'idle in transaction%' AND pid <> pg_backend_pid()"
        )
    return int(number)
