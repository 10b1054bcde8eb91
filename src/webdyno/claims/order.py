"""Quantiles, extremes, means and deviations of one distribution, against each other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.catalog.terms.printed import Figure
from webdyno.claims.finding import Finding, agreed, contradicts, name_of, plain, seconds
from webdyno.claims.tools import tool

CHECK = "order"
QUANTILES = (("min", 0.0), ("median", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("max", 1))
NAMES = {"min": "minimum", "max": "maximum"}


def order(table: PublishedTable) -> Iterator[Finding]:
    """Everything that the figures of one row have to obey."""
    good = []
    for row in table.rows:
        found = [
            *_ordered(table, row),
            *_mean(table, row),
            *_deviation(table, row),
            *_least_deviation(table, row),
            *_rates(table, row),
            *_highest_rate(table, row),
            *_late(table, row),
        ]
        yield from found
        if not found and row.mean is not None and (row.max or row.median):
            good.append(name_of(row, table))
    text = "Mean, deviation, quantiles and extremes are consistent"
    yield from agreed(CHECK, table, good, text)


def _known(table: PublishedTable, row: PublishedRow) -> list[tuple[str, float, Figure]]:
    pairs = ((key, share, table.figure(row, key)) for key, share in QUANTILES)
    return [(key, share, value) for key, share, value in pairs if value is not None]


def _ordered(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    for (one, _, lower), (other, _, upper) in pairwise(_known(table, row)):
        if lower.value > upper.value and lower.low >= upper.high:
            text = (
                f"{name_of(row, table)}: its {NAMES.get(one, one)}, {lower.text}, is above its "
                f"{NAMES.get(other, other)}, {upper.text}."
            )
            yield contradicts(CHECK, table, "certain", text)


def _mean(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    """The mean lies between the step functions below and above the quantiles; latencies are not
    negative, so that the lower one starts at zero."""
    mean, known = table.figure(row, "mean"), _known(table, row)
    if mean is None or not known:
        return
    cut = tool(table.load.tool).tick_s
    least = before = at = 0.0
    for _, share, value in known:
        least += (share - at) * before
        before, at = max(before, value.low), share
    least += (1 - at) * before
    if mean.high + cut < least:
        yield contradicts(
            CHECK, table, "certain",
            f"{name_of(row, table)}: its quantiles allow no mean below {seconds(least)}, but "
            f"{mean.text} is printed.",
        )  # fmt: skip
    if known[-1][0] != "max":
        return
    most = at = 0.0
    for _, share, value in known:
        most += (share - at) * (value.high + cut)
        at = share
    if mean.low > most:
        yield contradicts(
            CHECK, table, "certain",
            f"{name_of(row, table)}: its quantiles allow no mean above {seconds(most)}, but "
            f"{mean.text} is printed.",
        )  # fmt: skip


def _deviation(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    """At a given mean the deviation is largest where all values are extremes: sd² ≤ (max - mean)
    (mean - min) (Bhatia and Davis, 2000)."""
    mean, sd = table.figure(row, "mean"), table.figure(row, "sd")
    top, low = table.figure(row, "max"), table.figure(row, "min")
    if mean is None or sd is None or top is None:
        return
    bottom = low.low if low is not None else 0.0
    cut = tool(table.load.tool).tick_s
    room = (top.high + cut - mean.low) * (mean.high + cut - bottom)
    count = table.figure(row, "samples")
    if count is not None and count.value > 1:
        room *= count.value / (count.value - 1)  # Where it is divided by n - 1.
    if sd.low**2 > max(0.0, room) * 1.02:
        yield contradicts(
            CHECK, table, "certain",
            f"{name_of(row, table)}: a mean of {mean.text} and a maximum of {top.text} allow a "
            f"deviation of at most {seconds(math.sqrt(max(0.0, room)))}, but {sd.text} is printed.",
        )  # fmt: skip


def _least_deviation(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    """A part q of the values at a distance d from the mean, on one side, takes a deviation of
    d sqrt(q / (1 - q)) at least (Cantelli, 1928)."""
    mean, sd = table.figure(row, "mean"), table.figure(row, "sd")
    if mean is None or sd is None:
        return
    cut = tool(table.load.tool).tick_s
    for key, at, value in _known(table, row):
        if not 0 < at < 1:
            continue
        above, below = value.low - mean.high - cut, mean.low - value.high - cut
        part = (1 - at) if above > 0 else at
        least = max(above, below, 0.0) * math.sqrt(part / (1 - part))
        if sd.high + cut < least / 1.02:
            yield contradicts(
                CHECK, table, "certain",
                f"{name_of(row, table)}: a mean of {mean.text} and a {NAMES.get(key, key)} of "
                f"{value.text} need a deviation of at least {seconds(least)}, but {sd.text} is "
                "printed.",
            )  # fmt: skip
            return


def _rates(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    for mean_key, top_key, what in (
        ("throughput", "throughput_max", "throughput"),
        ("bytes_per_s", "bytes_max", "bytes per second"),
        ("thread_rate", "thread_rate_max", "rate of a thread"),
    ):
        mean, top = table.figure(row, mean_key), table.figure(row, top_key)
        if mean is not None and top is not None and mean.low > top.high:
            text = f"{name_of(row, table)}: {what}, {mean.text}, is above its maximum, {top.text}."
            yield contradicts(CHECK, table, "certain", text)


def _highest_rate(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    """The highest of n figures lies above their mean by no more than sd sqrt(n - 1) (Samuelson,
    1968), and by sd / sqrt(n) at least, whether their deviation is divided by n or n - 1."""
    mean, top = table.figure(row, "throughput"), table.figure(row, "throughput_max")
    sd, every, lasted = table.figure(row, "throughput_sd"), table.rate_every, table.load.duration
    if mean is None or top is None or sd is None or every is None or lasted is None:
        return
    # A run may have one second more than was asked for.
    number = round(lasted / every) + 1
    if number < 3:
        return  # A single rate deviates from nothing.
    most, least = 1.02 * sd.high * math.sqrt(number - 1), 0.98 * sd.low / math.sqrt(number)
    above = (top.low - mean.high, top.high - mean.low)
    if above[0] > most or above[1] < least:
        asked = f"at most {plain(most)}" if above[0] > most else f"at least {plain(least)}"
        yield contradicts(
            CHECK, table, "certain",
            f"{name_of(row, table)}: with a deviation of {sd.text}/s, the highest of {number - 1} "
            f"rates is {asked} above their mean of {mean.text}/s, but {top.text}/s is printed.",
        )  # fmt: skip


def _late(table: PublishedTable, row: PublishedRow) -> Iterator[Finding]:
    """A tool that leaves answers after the time-out out of its latencies shows none."""
    top, limit = table.figure(row, "max"), table.load.timeout
    if top is not None and limit and tool(table.load.tool).drops_late and top.low > limit:
        yield contradicts(
            CHECK, table, "certain",
            f"{name_of(row, table)}: its maximum, {top.text}, is above the time-out of "
            f"{seconds(limit)}, after which {table.load.tool} records no latency.",
        )  # fmt: skip
