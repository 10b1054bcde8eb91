"""What a check says: one sentence with its numbers, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.store.document import described

FindingOutcome = Literal["contradicts", "untold", "holds"]
Sureness = Literal["certain", "likely", "possible"]
SUREST: dict[Sureness, int] = {"certain": 0, "likely": 1, "possible": 2}
"""How far down findings are listed."""


@described
@dataclass(frozen=True)
class Finding:
    """What a check of published figures says."""

    check: str
    """Its name, such as `least CPU`."""
    outcome: FindingOutcome
    """contradicts: the figures cannot all be right, or not mean what they are taken to mean;
    untold: they do not show what is concluded; holds: the check found nothing wrong."""
    sureness: Sureness
    """How sure that is; `certain` of all that holds."""
    sentence: str
    """What it found, with its numbers."""
    table: str = ""
    """The published table; empty where it is about several."""
    # Only some checks name them: the sentence says which they are.
    rows: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    """Names of the rows that cannot be compared because of it; see `footing`."""


def _not_held(
    outcome: FindingOutcome,
    check: str,
    table: PublishedTable,
    sureness: Sureness,
    sentence: str,
    rows: tuple[str, ...] = (),
) -> Finding:
    return Finding(check, outcome, sureness, sentence, table.name, rows)


contradicts = partial(_not_held, "contradicts")
"""The figures contradict each other, or how they were made."""
untold = partial(_not_held, "untold")
"""The figures do not show it."""


def holds(check: str, table: PublishedTable, sentence: str) -> Finding:
    """Nothing wrong was found."""
    return Finding(check, "holds", "certain", sentence, table.name)


def agreed(check: str, table: PublishedTable, good: list[str], sentence: str) -> Iterator[Finding]:
    """One finding for all rows that passed, `sentence` said of them; none where there are none."""
    if good:
        yield holds(check, table, f"{sentence}: {', '.join(good)}.")


def name_of(row: PublishedRow, table: PublishedTable) -> str:
    """The row's name; one without a name is called by its place."""
    return row.label or f"row {table.rows.index(row) + 1}"


def single(table: PublishedTable) -> Iterable[PublishedRow]:
    """The rows of one system each."""
    return [row for row in table.rows if not row.total]


def plain(value: float) -> str:
    """A number as a sentence holds it: three digits that count, thousands set apart."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{float(f'{value:.3g}'):g}"


def seconds(value: float) -> str:
    """A length of time: `6.4 ms`, `4.75 s`."""
    if value < 1e-3:
        return f"{plain(value * 1e6)} µs"
    return f"{plain(value * 1e3)} ms" if value < 1 else f"{plain(value)} s"


def octets(value: float) -> str:
    """Bytes: `528 bytes`, `12.8 MB`."""
    if value < 10_000:
        return f"{plain(value)} bytes"
    return f"{plain(value / 1e3)} kB" if value < 1e6 else f"{plain(value / 1e6)} MB"


def share(value: float) -> str:
    """A share as a percentage: `1.8%`, `37%`, `1,357%`."""
    return f"{value * 100:,.0f}%" if value >= 0.0995 else f"{float(f'{value * 100:.2g}'):g}%"


def shares_apart(one: float, other: float) -> tuple[str, str]:
    """Two shares that differ, with as many more digits as it takes that they look different."""
    texts = share(one), share(other)
    for digits in range(2, 7):
        if texts[0] != texts[1]:
            break
        texts = f"{100 * one:.{digits}g}%", f"{100 * other:.{digits}g}%"
    return texts
