"""A PostgreSQL that only tells what it has counted."""

from __future__ import annotations

from webdyno.runtime.services.table_work import TableWork

ANSWERS = 1000
NOTHING = TableWork(0, 0, 0, 0, 0, 0)


class Counters:
    """A PostgreSQL of this version that has counted so many look-ups, each of which found a row
    unless it is said how many did, and a scan of so many rows for each of its transactions."""

    def __init__(
        self,
        version: int,
        looked_up: int = 0,
        fetched: int | None = None,
        *,
        scanned: int = 0,
        passed: int = 0,
        transactions: int = ANSWERS,
    ) -> None:
        self.version = version
        self.work = TableWork(
            looked_up=looked_up,
            scanned=scanned,
            updated=0,
            fetched=looked_up if fetched is None else fetched,
            passed=passed,
            transactions=transactions,
        )

    def close(self) -> None:
        pass

    def rows(self, sql: str, **_: object) -> list[list[str]]:
        if "server_version_num" in sql:
            return [[str(self.version)]]
        if "pg_stat_activity" in sql:
            return [["0"]]
        return [list(map(str, self.work))]
