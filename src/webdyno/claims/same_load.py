"""Rows that were not loaded as is said: side by side, or in turn by the same users."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.claims.finding import (
    Finding,
    agreed,
    contradicts,
    name_of,
    octets,
    plain,
    seconds,
    share,
    single,
)
from webdyno.claims.mixture import quantiles_of_all

EQUAL, APART = 0.01, 1.5
"""Throughputs as close as this, and mean latencies as far apart, do not come of servers."""

Ends = tuple[float, float]
"""The least and the most that something can be."""


def in_turn(table: PublishedTable) -> Iterator[Finding]:
    """In a closed load equal throughputs mean equal latencies; where they do not, something else
    than the servers set the pace."""
    if table.load.kind == "open":
        return
    for one, other in combinations(single(table), 2):
        rates = [table.figure(row, "throughput") for row in (one, other)]
        means = [table.figure(row, "mean") for row in (one, other)]
        if rates[0] is None or rates[1] is None or means[0] is None or means[1] is None:
            continue
        low, high = sorted((rates[0].value, rates[1].value))
        fast, slow = sorted((means[0].value, means[1].value))
        if not low or not fast or high / low - 1 > EQUAL or slow / fast < APART:
            continue
        if any(table.figure(row, "timeouts") is not None for row in (one, other)):
            continue  # Then means leave out an unknown part.
        flights = [rate.value * mean.value for rate, mean in zip(rates, means, strict=True)
                   if rate is not None and mean is not None]  # fmt: skip
        yield contradicts(
            "pace", table, "likely",
            f"{name_of(one, table)} and {name_of(other, table)} have the same throughput within "
            f"{share(high / low - 1)} ({rates[0].text}/s and {rates[1].text}/s), although their "
            f"mean latencies differ by a factor of {plain(slow / fast)} ({means[0].text} and "
            f"{means[1].text}): the load set the pace of both, as would one group of about "
            f"{sum(flights):,.0f} users that sends requests to each in turn, with "
            f"{plain(flights[0])} "
            f"waiting for the first and {plain(flights[1])} for the second at any time.",
            rows=(name_of(one, table), name_of(other, table)),
        )  # fmt: skip


def total(table: PublishedTable) -> Iterator[Finding]:
    """The row of all together: sums, weighted means, and whether the others ran side by side."""
    rows = list(single(table))
    for whole in (row for row in table.rows if row.total):
        yield from _samples(table, whole, rows)
        yield from _mean(table, whole, rows)
        yield from _errors(table, whole, rows)
        yield from _bytes(table, whole, rows)
        yield from quantiles_of_all(table, whole, rows)
        yield from _side_by_side(table, whole, rows)


def _samples(
    table: PublishedTable, total: PublishedRow, rows: list[PublishedRow]
) -> Iterator[Finding]:
    counts = [table.figure(row, "samples") for row in rows]
    known = [count for count in counts if count is not None]
    told = table.figure(total, "samples")
    if told is None or not known or len(known) < len(rows):
        return
    added = " + ".join(count.text for count in known)
    if sum(c.low for c in known) > told.high or sum(c.high for c in known) < told.low:
        found = f"{sum(count.value for count in known):,.0f}"
        text = f"The rows have {added} = {found} samples, but the total has {told.text}."
        yield contradicts("total", table, "certain", text)
    else:
        yield from agreed("total", table, [f"{added} = {told.text}"], "Samples add up")


def _mean(
    table: PublishedTable, total: PublishedRow, rows: list[PublishedRow]
) -> Iterator[Finding]:
    told = table.figure(total, "mean")
    pairs = [(table.figure(row, "samples"), table.figure(row, "mean")) for row in rows]
    known = [(n, mean) for n, mean in pairs if n is not None and mean is not None]
    count = sum(n.value for n, _ in known)
    if told is None or len(known) < len(rows) or not count:
        return
    # Means may be cut off or rounded: a whole unit of the last digit either way.
    step = told.step + max(mean.step for _, mean in known)
    found = sum(n.value * mean.value for n, mean in known) / count
    if abs(found - told.value) > step:
        text = f"The rows' means give a total mean of {seconds(found)}, not {told.text}."
        yield contradicts("total", table, "certain", text)


def _errors(
    table: PublishedTable, total: PublishedRow, rows: list[PublishedRow]
) -> Iterator[Finding]:
    """The total's share of errors is the mean of the rows', weighted by their samples."""
    ends = _all_ends(table, total, rows, ("samples", "error_share"))
    if ends is None:
        return
    (low, high), parts = ends
    # An error is whole.
    if _adds_up(parts, low - 0.5, high + 0.5):
        text = "The total's share of errors fits those of the rows"
        yield from agreed("total", table, [str(total.error_share)], text)
    else:
        counts = " + ".join(plain(sum(part) / 2) for part in parts)
        text = (
            f"The rows have about {counts} errors, but {total.error_share} of {total.samples} are "
            f"{plain((low + high) / 2)}."
        )
        yield contradicts("total", table, "certain", text)


def _bytes(
    table: PublishedTable, total: PublishedRow, rows: list[PublishedRow]
) -> Iterator[Finding]:
    """All bytes of the total are those of the rows: a rate x the time, which is samples over
    throughput."""
    ends = _all_ends(table, total, rows, ("bytes_per_s", "samples"), "throughput")
    if ends is None:
        return
    (low, high), parts = ends
    if _adds_up(parts, low * 0.995, high * 1.005):
        text = "The total's bytes/s fit those of the rows"
        yield from agreed("total", table, [f"{total.bytes_per_s}/s"], text)
    else:
        text = (
            f"The rows received {octets(sum(sum(part) for part in parts) / 2)}, but the total's "
            f"{total.bytes_per_s}/s make {octets((low + high) / 2)}."
        )
        yield contradicts("total", table, "certain", text)


def _adds_up(parts: list[Ends], low: float, high: float) -> bool:
    """Whether the sum of `parts` can lie between `low` and `high`."""
    return sum(part[0] for part in parts) <= high and sum(part[1] for part in parts) >= low


def _all_ends(
    table: PublishedTable,
    total: PublishedRow,
    rows: list[PublishedRow],
    keys: tuple[str, str],
    over: str = "",
) -> tuple[Ends, list[Ends]] | None:
    """`_ends_of` the total and of each row; None where one of them does not tell."""
    found = [_ends_of(table, row, keys, over) for row in [total, *rows]]
    known = [ends for ends in found if ends is not None]
    return (known[0], known[1:]) if rows and len(known) == len(found) else None


def _ends_of(
    table: PublishedTable, row: PublishedRow, keys: tuple[str, str], over: str = ""
) -> Ends | None:
    """The least and the most that the product of two figures can be, divided by a third."""
    one, other = (table.figure(row, key) for key in keys)
    by = table.figure(row, over) if over else None
    if one is None or other is None or (over and (by is None or by.low <= 0)):
        return None
    low, high = one.low * other.low, one.high * other.high
    return (low, high) if by is None else (low / by.high, high / by.low)


def _sum(value: float) -> str:
    """As exact as the figures that are added, without an exponent."""
    return f"{value:,.0f}" if value >= 1e6 else f"{value:.6g}"


def _side_by_side(
    table: PublishedTable, total: PublishedRow, rows: list[PublishedRow]
) -> Iterator[Finding]:
    rates = [rate for rate in (table.figure(row, "throughput") for row in rows) if rate is not None]
    told, mean = table.figure(total, "throughput"), table.figure(total, "mean")
    if told is None or len(rates) < 2 or told.value <= 0:
        return
    added, most = sum(rate.value for rate in rates), max(rate.value for rate in rates)
    if told.value < 1.25 * most:
        return
    texts = " + ".join(f"{rate.text}/s" for rate in rates)
    reach = (told.high - told.low + sum(rate.high - rate.low for rate in rates)) / 2
    close = abs(added / told.value - 1) < 0.05
    if not close:
        texts = f"well above that of any row, with {texts} = {_sum(added)}/s"
    elif abs(added - told.value) > reach:
        texts = f"nearly {texts} = {_sum(added)}/s"
    said = table.load.in_flight()
    more = ""
    if mean is not None:
        more = f", {plain(told.value * mean.value)} requests in flight together"
        more += f" instead of {said}" if said is not None else ""
    yield contradicts(
        "pace", table, "certain" if close else "likely",
        f"The total of {told.text}/s is {texts}: all were loaded at the same time, each beside "
        f"the others' load{more}.",
        rows=tuple(name_of(row, table) for row in rows),
    )  # fmt: skip
