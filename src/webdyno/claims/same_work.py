"""Whether rows are of the same work at all: what is said of each, and what contains what."""

from __future__ import annotations

from collections.abc import Iterator

from webdyno.catalog.studies.published_table import PublishedTable
from webdyno.claims.finding import Finding, contradicts, name_of, plain, single, untold
from webdyno.claims.resolution import apart_at_least
from webdyno.claims.tools import tool
from webdyno.words import listed


def conditions(table: PublishedTable) -> Iterator[Finding]:
    """What the write-up says of its rows, where it is not the same of all."""
    rows = list(single(table))
    for key in dict.fromkeys(key for row in rows for key in row.conditions):
        groups: dict[str, list[str]] = {}
        for row in rows:
            if key in row.conditions:
                groups.setdefault(row.conditions[key], []).append(name_of(row, table))
        if len(groups) > 1:
            told = "; ".join(f"“{value}” for {listed(names)}" for value, names in groups.items())
            text = f"Conditions differ ({key}): {told}."
            yield contradicts("conditions", table, "certain", text)


def contained(table: PublishedTable) -> Iterator[Finding]:
    """A program that contains another one's work cannot be the faster of the two."""
    for row in single(table):
        base = table.named(row.runs_on) if row.runs_on else None
        if base is None:
            continue
        own, its = table.figure(row, "throughput"), table.figure(base, "throughput")
        if own is None or its is None or not its.value:
            continue
        ratio = own.value / its.value
        if ratio - 1 > apart_at_least(table, row, base):
            yield contradicts(
                "contained work", table, "likely",
                f"{name_of(row, table)} runs on {name_of(base, table)} and is {plain(ratio)} times "
                f"as fast ({own.text}/s and {its.text}/s): a program that contains another's work "
                "costs more, so either the two do different work, or something else decided.",
                rows=(name_of(row, table),),
            )  # fmt: skip


def cookies(table: PublishedTable) -> Iterator[Finding]:
    """A tool that sends no cookie back makes every request a first visit."""
    if table.work.session_by_cookie and not tool(table.load.tool).keeps_cookies:
        yield contradicts(
            "cookies", table, "certain",
            f"The work depends on a cookie, but {table.load.tool} sends none back: every request "
            "was a first visit, and the work of later visits was never measured.",
        )  # fmt: skip


def nameless(table: PublishedTable) -> Iterator[Finding]:
    """Rows of which the write-up does not say what they are."""
    rows = [row for row in single(table) if not row.label]
    if rows:
        rates = ", ".join(f"{row.throughput}/s" for row in rows if row.throughput)
        runs = "a run has no name" if len(rows) == 1 else f"{len(rows)} runs have no name"
        yield untold("names", table, "certain", f"{runs[0].upper()}{runs[1:]}: {rates}.")
