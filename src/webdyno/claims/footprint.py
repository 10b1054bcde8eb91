"""Memory, threads and build times, against each other and against what a runtime needs."""

from __future__ import annotations

from collections.abc import Iterator

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.claims.finding import Finding, contradicts, name_of, octets, single

CHECK = "footprint"
LEAST_BYTES = {
    "node": 20e6, "bun": 15e6, "deno": 20e6, "python": 5e6, "ruby": 8e6, "php": 4e6, "elixir": 20e6,
}  # fmt: skip
"""Resident memory of a process that has started the language's runtime and done nothing else,
rounded down by a third or more. A language that can be compiled to a program without it, as Java
and C# can, has none."""
LONGER = 1.1
"""A build after a change takes no longer than one of everything; builds differ by some percent."""


def footprint(table: PublishedTable) -> Iterator[Finding]:
    """What a row prints of memory, threads and builds."""
    for row in single(table):
        yield from _memory(table, row)
        yield from _threads(table, row)
        yield from _builds(table, row)


def _memory(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    start, peak = table.figure(row, "memory_at_start"), table.figure(row, "memory")
    if start is not None and peak is not None and start.low > peak.high:
        yield contradicts(
            CHECK, table, "certain",
            f"{name_of(row, table)}: its memory at the start, {start.text}, is above its peak, "
            f"{peak.text}.",
        )  # fmt: skip
    language = row.server.partition("/")[0]
    least, known = LEAST_BYTES.get(language), peak or start
    if least is not None and known is not None and known.high < least:
        yield contradicts(
            CHECK, table, "likely",
            f"{name_of(row, table)}: {known.text} of memory are less than the {octets(least)} that "
            f"the runtime of {language} takes by itself: not all of it was counted.",
        )  # fmt: skip


def _threads(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    threads, cores = table.figure(row, "threads"), table.figure(row, "cpu_cores")
    if threads is None:
        return
    if threads.high < 1:
        text = f"{name_of(row, table)}: {threads.text} threads are fewer than any program has."
        yield contradicts(CHECK, table, "certain", text)
    elif cores is not None and cores.low > threads.high:
        what = "thread" if threads.text == "1" else "threads"
        yield contradicts(
            CHECK, table, "certain",
            f"{name_of(row, table)}: {cores.text} busy cores are more than its {threads.text} "
            f"{what} can use.",
        )  # fmt: skip


def _builds(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    whole, again = table.figure(row, "build"), table.figure(row, "build_again")
    if whole is not None and again is not None and again.low > whole.high * LONGER:
        yield contradicts(
            CHECK, table, "likely",
            f"{name_of(row, table)}: a build after a change, {again.text}, takes longer than one "
            f"of everything, {whole.text}.",
        )  # fmt: skip
