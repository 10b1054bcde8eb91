"""Rows that get other ids behind the server's back."""

from __future__ import annotations

from webdyno.runtime.services.mysql import MySql, quoted
from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.verifier import Breakdown, beside

rows = beside(__file__, "rows")

# A row is renamed by an UPDATE and a SELECT, sent one after the other.
SENT_TO_RENAME = 2
CONNECTED = "SHOW GLOBAL STATUS LIKE 'Threads_connected'"


class Renames:
    """Renames rows, and knows those whose ids were put into other cases under load."""

    def __init__(self, database: MySql) -> None:
        self._database = database
        self.held_as: dict[str, str] = {}
        """What the table holds now for each of them, by the id that the load asks for."""
        self.begin()

    def begin(self) -> None:
        """Count what is done under a load that begins now."""
        self.under_load = 0
        """Renames; each runs one SELECT."""
        self.held_at: list[int] = []
        """The connections that the server held at each `look`."""

    @property
    def sent(self) -> int:
        """Statements that were sent by all of this."""
        return SENT_TO_RENAME * self.under_load + len(self.held_at)

    def look(self) -> None:
        """Count the server's connections. Raises `Breakdown` where that fails."""
        with or_breakdown("the server's connections cannot be counted"):
            [[_, connected]] = self._database.rows(CONNECTED)
        self.held_at.append(int(connected) - 1)  # One is our own.

    def rename(self, old: str, new: str) -> None:
        """Give the row `old` the id `new`. Raises `Breakdown` where that fails."""
        sql = (
            f"UPDATE {rows.TABLE} SET sku_id = {quoted(new)} WHERE sku_id = {quoted(old)};"
            " SELECT ROW_COUNT()"
        )
        with or_breakdown("a row could not be renamed"):
            changed = self._database.rows(sql)
        if changed != [["1"]]:
            raise Breakdown(f"the row {old} could not be renamed: {changed} rows changed")

    def put(self, sku: str, held: str) -> None:
        """Have the row `sku` hold `held`, the same id in other cases, while a load runs."""
        self.rename(self.held_as.get(sku, sku), held)
        self.held_as[sku] = held
        self.under_load += 1

    def put_back(self) -> set[str]:
        """Give each row the id back that the load asks for; gives those ids."""
        for sku, held in self.held_as.items():
            if held != sku:
                self.put(sku, sku)
        changed, self.held_as = set(self.held_as), {}
        return changed
