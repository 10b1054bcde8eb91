"""The columns of a ranking: what each holds, its unit, what each format calls it, and where it is
shown. Every format draws its table from these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from webdyno.catalog.terms.metric import METRICS
from webdyno.report.numbers import MISSING, Scale, scale_for
from webdyno.report.text import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webdyno.report.section import EntryRow, Section

Format = Literal["terminal", "markdown", "notebook", "page", "card"]

RATE = "rate"
"""Stands for the metric that a section's rate is: its throughput, or its capacity."""

AVERAGES = "medians; capacities, leads and intervals rest on geometric means"
"""What the figures of a ranking are, of the trials that count; see docs/verdict.md."""


@dataclass(frozen=True, kw_only=True)
class RankingColumn:
    """A column of a ranking, by what each format calls it; "" where that does not show it.

    In headings `{unit}` stands for the column's unit, and `{rate}` for the section's rate. A cell
    is what `cell` makes of the row; without it, the entry's median of the column's `metric`.
    """

    terminal: str = ""
    markdown: str = ""
    notebook: str = ""
    page: str = ""
    page_below: str = ""
    """The second line of the page's heading."""
    card: str = ""
    """Before the figure on a page so narrow that each row is a card."""
    metric: str = ""
    cell: Callable[[EntryRow, Ranking], str] | None = None
    from_record: bool = False
    """Whether a cell may hold a record's own words: a format with markup escapes them."""
    wide: bool = False
    """On a terminal only where that is wide."""
    left: tuple[Format, ...] = ()
    """Formats in which it stands on the left: words do, figures stand on the right."""

    def text(self, row: EntryRow, ranking: Ranking) -> str:
        """The cell of `row`."""
        if self.cell is not None:
            return self.cell(row, ranking)
        return ranking.scales[self.metric].text(row.medians.get(self.metric))


def _interval(row: EntryRow, ranking: Ranking) -> str:
    ends = row.interval if ranking.section.by_rate else None
    scale = ranking.scales[RATE]
    return f"{scale.text(ends[0])}..{scale.text(ends[1])}" if ends else ""


THROUGHPUT = RankingColumn(
    terminal="{unit}",
    markdown="{unit}",
    notebook="{unit}",
    page="{rate}",
    page_below="{unit}",
    card="{unit}",
    metric=RATE,
    cell=lambda row, ranking: row.rate_text(ranking.scales[RATE], ranking.section.rate),
)
INTERVAL = RankingColumn(terminal="interval", cell=_interval, wide=True)
LEAD = RankingColumn(
    terminal="first leads by",
    markdown="First leads by",
    notebook="first leads by",
    page="First",
    page_below="leads by",
    card="first leads by",
    cell=lambda row, _: row.standing,
    left=("markdown",),
)
P50 = RankingColumn(
    terminal="p50 {unit}",
    page="p50",
    page_below="{unit}",
    card="p50 {unit}",
    metric="p50_us",
    wide=True,
)
P99 = RankingColumn(
    terminal="p99 {unit}",
    markdown="p99 {unit}",
    notebook="p99, {unit}",
    page="p99",
    page_below="{unit}",
    card="p99 {unit}",
    metric="p99_us",
)
CPU = RankingColumn(
    terminal="CPU {unit}",
    markdown="CPU {unit}/request",
    notebook="CPU, {unit}",
    page="CPU",
    page_below="{unit} per request",
    card="CPU {unit}",
    metric="cpu_us_per_request",
)
MEMORY = RankingColumn(
    terminal="{unit}",
    markdown="Peak {unit}",
    notebook="memory, {unit}",
    page="Memory",
    page_below="peak, {unit}",
    card="mem. {unit}",
    metric="memory_peak_bytes",
)
LIMIT = RankingColumn(
    terminal="limit",
    markdown="Limited by",
    notebook="limited by",
    page="Limited by",
    card="limited by",
    cell=lambda row, _: limits.word(row.limit) or MISSING,
    from_record=True,
    left=("terminal", "markdown", "page"),
)
COLUMNS = (THROUGHPUT, INTERVAL, LEAD, P50, P99, CPU, MEMORY, LIMIT)
"""Behind the place and the server's name, in their order in every format."""


@dataclass(frozen=True)
class Ranking:
    """The columns of a section's ranking, in units that suit the figures of some of its rows."""

    section: Section
    scales: dict[str, Scale]
    """By the columns' `metric`."""

    @classmethod
    def of(cls, section: Section, rows: Sequence[EntryRow]) -> Ranking:
        """Of `rows` of `section`."""
        scales = {}
        for column in COLUMNS:
            if column.metric:
                name = section.rate if column.metric == RATE else column.metric
                figures = [row.medians.get(name) for row in rows]
                scales[column.metric] = scale_for(METRICS[name].kind, figures)
        return cls(section, scales)

    def columns(self, format_: Format, *, wide: bool = True) -> list[RankingColumn]:
        """Those that the format shows; `wide` is whether a terminal has room for all."""
        return [c for c in COLUMNS if getattr(c, format_) and (wide or not c.wide)]

    def heading(self, column: RankingColumn, format_: Format) -> str:
        """What the format calls the column, with its unit."""
        return self._filled(column, getattr(column, format_))

    def below(self, column: RankingColumn) -> str:
        """The second line of the page's heading."""
        return self._filled(column, column.page_below)

    def _filled(self, column: RankingColumn, heading: str) -> str:
        scale = self.scales.get(column.metric)
        rate = "Capacity" if METRICS[self.section.rate].searched else "Throughput"
        return heading.format(unit=scale.unit if scale else "", rate=rate)

    def texts(self, row: EntryRow, format_: Format, *, wide: bool = True) -> list[str]:
        """The cells of `row`, below the headings of `columns`."""
        return [column.text(row, self) for column in self.columns(format_, wide=wide)]
