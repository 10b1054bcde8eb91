"""Rows that a table without an index would have had to read, against the cores that there were."""

from __future__ import annotations

from collections.abc import Iterator

from webdyno.catalog.studies.published_table import PublishedTable
from webdyno.claims.finding import Finding, holds, name_of, plain
from webdyno.claims.work import CHECK

FASTEST_ROWS_PER_S = 2.0e7
"""Rows of a table that one core compares with a key: above the 5 to 10 million a second that
MariaDB's InnoDB reaches on today's processors where the table is in memory."""


def scans(table: PublishedTable) -> Iterator[Finding]:
    """Whether requests can have read the whole table, each for itself: where they cannot, an index
    led to the row or a cache gave the answer. Nothing is said where they can."""
    rows, cores = table.work.table_rows, table.cpus
    if rows is None or cores is None:
        return
    wholes = [row for row in table.rows if row.total] or table.rows
    for row in wholes:
        rate = table.figure(row, "throughput")
        if rate is None:
            continue
        needed = rate.low * rows / FASTEST_ROWS_PER_S
        if needed > cores:
            yield holds(
                CHECK, table,
                f"{name_of(row, table)}: {rate.text}/s, each reading {plain(rows)} rows, "
                f"would need {plain(needed)} cores at the highest rate at which a core can read, "
                f"not {plain(cores)}: an index led to the row, or a cache gave the answer.",
            )  # fmt: skip
