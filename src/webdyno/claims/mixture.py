"""Quantiles of all rows together, against those of each: the distribution of the total is the rows'
own, weighted by their samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.catalog.terms.printed import Figure
from webdyno.claims.finding import Finding, contradicts, share
from webdyno.claims.order import NAMES, QUANTILES

OPEN = 0.005
"""A share of the samples that ways of finding a quantile may differ by."""


def quantiles_of_all(
    table: PublishedTable, total: PublishedRow, rows: Sequence[PublishedRow]
) -> Iterator[Finding]:
    """Extremes are those of a row; other quantiles lie where the rows' quantiles leave room."""
    for key, at in QUANTILES:
        told, found = table.figure(total, key), [table.figure(row, key) for row in rows]
        known = [one for one in found if one is not None]
        if told is None or not known or len(known) < len(rows):
            continue
        name = NAMES.get(key, key)
        low, high = min(one.low for one in known), max(one.high for one in known)
        if told.high < low or told.low > high:
            text = f"The total's {name}, {told.text}, lies outside the range of the rows."
            yield contradicts("total", table, "certain", text)
        elif at in (0, 1):
            end = (max if at else min)(known, key=lambda one: one.value)
            # Printed alike, the same latency is the same figure; one read from a chart is not.
            reach = max(told.high - told.value, end.high - end.value)
            step = max(told.step, end.step)
            open_by = 0.0 if told.step == end.step and reach < step else max(reach, step)
            if abs(told.value - end.value) > open_by + 1e-12:
                text = f"The total's {name} is {told.text}, but that of the rows is {end.text}."
                yield contradicts("total", table, "certain", text)
        else:
            yield from _within(table, rows, told, name, at)


def _within(
    table: PublishedTable, rows: Sequence[PublishedRow], told: Figure, name: str, at: float
) -> Iterator[Finding]:
    """Of the samples, a share `at` lies at or below the total's quantile: no more than the rows
    allow, and no less."""
    counts = [table.figure(row, "samples") for row in rows]
    weights = [0.0 if count is None else count.value for count in counts]
    if not all(weights):
        return
    bounds = [_share_below(table, row, told) for row in rows]
    parts = [weight / sum(weights) for weight in weights]
    least, most = (
        sum(part * end[i] for part, end in zip(parts, bounds, strict=True)) for i in (0, 1)
    )
    if most < at - OPEN:
        what = f"at most {share(most)}"
    elif least > at + OPEN:
        what = f"at least {share(least)}"
    else:
        return
    text = (
        f"The total's {name} is {told.text}, but by the rows' quantiles {what} of all samples take "
        "no longer than that."
    )
    # Not certain: a tool may take quantiles of its latest samples alone, as JMeter's report does.
    yield contradicts("total", table, "likely", text)


def _share_below(table: PublishedTable, row: PublishedRow, told: Figure) -> tuple[float, float]:
    """The least and the largest share of the row's samples that can lie at or below `told`."""
    least, most = 0.0, 1.0
    for key, at in QUANTILES:
        one = table.figure(row, key)
        if one is None:
            continue
        if one.high <= told.low:
            least = max(least, at)
        elif one.low >= told.high:
            most = min(most, at)
    return least, most
