"""Which differences one run each can show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.claims.finding import Finding, name_of, plain, shares_apart, single, untold

UNREPEATED = 0.05
"""Single runs of the same program differ by several percent: code placement, caches, clock."""


def unrepeated(table: PublishedTable) -> float:
    """What figures of the same program differ by from run to run, as a share."""
    return UNREPEATED / math.sqrt(table.runs)


def apart_at_least(table: PublishedTable, a: PublishedRow, b: PublishedRow) -> float:
    """The smallest difference of throughputs, as a share, that can be told from none."""
    noise = 2 * math.hypot(_standard_error(table, a), _standard_error(table, b))
    return max(unrepeated(table), noise, _ends(table, a), _ends(table, b))


def _standard_error(table: PublishedTable, row: PublishedRow) -> float:
    """Of the mean rate, from its deviation from second to second; 0 where that is not printed."""
    rate, sd = table.figure(row, "throughput"), table.figure(row, "throughput_sd")
    every, lasted = table.rate_every, table.load.duration
    if rate is None or sd is None or not rate.value or not every or not lasted:
        return 0.0
    return sd.value / math.sqrt(max(1.0, lasted / every) * table.runs) / rate.value


def _ends(table: PublishedTable, row: PublishedRow) -> float:
    """Requests that were begun and not counted at the end, one a connection, as a share."""
    count, flight = table.figure(row, "samples"), table.load.connections
    if table.load.kind != "closed" or count is None or not count.value or not flight:
        return 0.0
    return flight / count.value


def resolution(table: PublishedTable) -> Iterator[Finding]:
    """Differences of throughput that are smaller than what such runs differ by."""
    if table.load.kind == "open":
        return  # Throughput is then what was sent.
    rows = [row for row in single(table) if row.label and table.figure(row, "throughput")]
    for a, b in combinations(rows, 2):
        first, second = table.figure(a, "throughput"), table.figure(b, "throughput")
        if first is None or second is None or not first.value or not second.value:
            continue
        apart = max(first.value, second.value) / min(first.value, second.value) - 1
        needed = apart_at_least(table, a, b)
        if apart < needed:
            differ, least = shares_apart(apart, needed)
            yield untold(
                "resolution", table, "likely",
                f"{name_of(a, table)} ({first.text}/s) and {name_of(b, table)} "
                f"({second.text}/s) differ by {differ}, less than the {least} by "
                f"which {_why(table, a, b, needed)}.",
                rows=(name_of(a, table), name_of(b, table)),
            )  # fmt: skip


def _why(table: PublishedTable, a: PublishedRow, b: PublishedRow, needed: float) -> str:
    if needed == unrepeated(table):
        runs = "single runs" if table.runs == 1 else f"means of {table.runs} runs"
        return f"{runs} of the same program differ"
    if needed in (_ends(table, a), _ends(table, b)):
        return (
            f"the {plain(table.load.connections or 0)} requests in flight at the end can change "
            "such a short count"
        )
    return "two such figures differ by chance alone (two standard errors of their seconds)"


def repetition(table: PublishedTable) -> Iterator[Finding]:
    """One run each has no interval."""
    told = [row for row in single(table) if row.throughput or row.mean or row.cpu_cores]
    if table.runs == 1 and len(told) > 1:
        yield untold(
            "repetition", table, "certain",
            "One run each: no figure has an interval, and none shows what another run would give.",
        )  # fmt: skip
