"""Little's law: throughput x mean latency is the number of requests in flight (Little, 1961).

In a closed load that is the number of connections, in one of iterations that of the users, less
whatever time they spend between requests.
"""

from __future__ import annotations

from collections.abc import Iterator

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.catalog.terms.printed import Figure
from webdyno.claims.finding import Finding, agreed, contradicts, name_of, plain, seconds, single
from webdyno.claims.tools import tool

CHECK = "Little's law"
ABOVE, BELOW = 1.06, 0.85
"""What the ends of a run and rounding leave open; below, what a client spends between requests."""


def littles_law(table: PublishedTable) -> Iterator[Finding]:
    """Requests in flight against the connections or users of the load."""
    stated = table.load.in_flight()
    if stated is None:
        return
    unit = "connections" if table.load.kind == "closed" else "users"
    good = []
    for row in single(table):
        rate, mean = table.figure(row, "throughput"), table.figure(row, "mean")
        if rate is None or mean is None or rate.value <= 0:
            continue
        least, most = rate.low * mean.low, rate.high * (mean.high + tool(table.load.tool).tick_s)
        product = f"{rate.text}/s × {mean.text}"
        flight = plain(rate.value * mean.value)
        if least > stated * ABOVE:
            yield _too_many(table, row, product, flight, f"{stated} {unit}")
        elif most < stated * BELOW:
            yield _too_few(table, row, product, flight, stated, rate)
        else:
            good.append(f"{flight} ({name_of(row, table)})")
    yield from agreed(CHECK, table, good, f"Throughput × mean latency gives the {stated} {unit}")


def _too_many(
    table: PublishedTable, row: PublishedRow, product: str, flight: str, stated: str
) -> Finding:
    why = ""
    if tool(table.load.tool).adds_slow:
        why = (
            f"; {table.load.tool} adds invented latencies for requests it did not send, so its "
            "mean is not the requests' mean"
        )
    return contradicts(
        CHECK,
        table,
        "certain",
        f"{name_of(row, table)}: {product} is {flight} requests in flight, more than the stated "
        f"{stated} allow{why}.",
    )


def _too_few(
    table: PublishedTable, row: PublishedRow, product: str, flight: str, stated: int, rate: Figure
) -> Finding:
    late = table.figure(row, "timeouts")
    if late is not None and late.value > 0 and tool(table.load.tool).drops_late:
        count = table.figure(row, "samples")
        left = f"leaves out the {late.text} answers after the time-out"
        if count is not None and count.value > late.value:
            left = (
                f"is that of the {plain(count.value - late.value)} of {count.text} answers that "
                "came before the time-out"
            )
        return contradicts(
            CHECK,
            table,
            "certain",
            f"{name_of(row, table)}: {product} is {flight} requests in flight, not {stated}: the "
            f"mean {left}; with {stated} in flight at this rate, an answer takes about "
            f"{seconds(stated / rate.value)}.",
        )
    return contradicts(
        CHECK,
        table,
        "likely" if table.load.kind == "closed" else "possible",
        f"{name_of(row, table)}: {product} is {flight} requests in flight, not the stated {stated}"
        ": either the load tool itself caused waits, or the mean does not cover all requests.",
    )
