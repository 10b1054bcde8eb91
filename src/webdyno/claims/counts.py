"""Counts against each other: users x iterations, rate x time, parts of a whole, whole requests."""

from __future__ import annotations

import math
from collections.abc import Iterator

from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.catalog.terms.printed import Figure
from webdyno.claims.finding import (
    Finding,
    agreed,
    contradicts,
    name_of,
    octets,
    plain,
    share,
    single,
)
from webdyno.claims.tools import tool

SLACK = 0.03
"""How far a run may last beyond its nominal length."""
PAUSES = 1.15
"""A thread's mean rate above its share of the throughput that averaging alone may make."""
LATE = 0.01
"""A share of time-outs below this leaves a throughput what it is."""


def offered(table: PublishedTable) -> Iterator[Finding]:
    """Samples against what the load sends in all."""
    sent = table.load.offered()
    if sent is None:
        return
    load = table.load
    by = (
        f"{load.users} users × {load.iterations} = {sent:,.0f}"
        if load.kind == "iterations"
        else f"the {sent:,.0f} that {', then '.join(load.phases)} would send"
    )
    good = []
    for row in single(table):
        count = table.figure(row, "samples")
        if count is None:
            continue
        slack = 0.0 if load.kind == "iterations" else SLACK
        # Requests are whole: 1.5/s for a second may send one or two.
        if count.low > math.ceil(sent * (1 + slack)):
            yield contradicts(
                "samples",
                table,
                "certain",
                f"{name_of(row, table)}: {count.text} samples are more than {by}: either the load "
                "was not as described, or the count includes other requests.",
            )
        elif count.high < math.floor(sent * (1 - SLACK)):
            yield contradicts(
                "samples",
                table,
                "likely",
                f"{name_of(row, table)}: {count.text} samples are fewer than {by}: either not all "
                "requests were sent, or not all were counted.",
            )
        else:
            good.append(f"{count.text} ({name_of(row, table)})")
    yield from agreed("samples", table, good, f"Samples fit {by}")


def rate_and_time(table: PublishedTable) -> Iterator[Finding]:
    """Throughput x duration against samples, and bytes a second x duration against bytes read."""
    if table.load.kind == "open":
        return  # Its duration is that of sending; answers may come later.
    yield from _times_duration(
        table, "throughput", "samples", "Throughput × duration", "the samples"
    )
    yield from _times_duration(table, "bytes_per_s", "read", "Bytes/s × duration", "the bytes read")


def _times_duration(
    table: PublishedTable, rate_key: str, count_key: str, product: str, sum_of: str
) -> Iterator[Finding]:
    good = []
    of_bytes = count_key == "read"
    for row in table.rows:
        if of_bytes and row.throughput and (row.samples or row.ok):
            continue  # The sizes of its answers say the same.
        rate, count = table.figure(row, rate_key), table.figure(row, count_key)
        time = table.figure(row, "duration")
        nominal = table.load.duration
        if rate is None or count is None or (time is None and nominal is None):
            continue
        if time is not None:
            low, high, text = rate.low * time.low, rate.high * time.high, time.text
        else:
            assert nominal is not None
            # Tools sort bytes of a second into coarser bins than requests.
            low = rate.low * nominal * (1 - SLACK if of_bytes else 1)
            high, text = rate.high * nominal * (1 + SLACK), f"{plain(nominal)}s"
        if count.high < low * 0.995 or count.low > high * 1.005:
            made = rate.value * (low + high) / (rate.low + rate.high)
            told = octets(made) if of_bytes else f"{plain(made)} requests"
            yield contradicts(
                "rate and time",
                table,
                "certain" if time is not None else "likely",
                f"{name_of(row, table)}: {rate.text}/s for {text} makes {told}, not {count.text}.",
            )
        else:
            good.append(name_of(row, table))
    yield from agreed("rate and time", table, good, f"{product} gives {sum_of}")


def parts(table: PublishedTable) -> Iterator[Finding]:
    """What became of the requests, against their number; and how many were late."""
    for row in single(table):
        count, late = table.figure(row, "samples"), table.figure(row, "timeouts")
        fine = table.figure(row, "ok")
        if count is None or count.value <= 0:
            continue
        if fine is not None:
            yield _whole(table, row, count, fine, late)
        if late is not None and late.value / count.value > LATE:
            part = late.value / count.value
            yield contradicts(
                "time-outs",
                table,
                "certain" if part >= 0.1 else "likely",
                f"{name_of(row, table)}: {late.text} of {count.text} requests ({share(part)}) "
                "timed out: its figures show an overloaded server, not the cost of the work, and "
                "cannot be compared with figures of servers that kept up.",
                (name_of(row, table),),
            )


def _whole(
    table: PublishedTable, row: PublishedRow, count: Figure, fine: Figure, late: Figure | None
) -> Finding:
    failed = table.figure(row, "error_share")
    told = fine.low + (late.low if late else 0.0)
    added = f"{fine.text} answered" + (f" and {late.text} timed out" if late else "")
    if failed is not None and failed.low * count.low > (late.low if late else 0.0):
        told = fine.low + failed.low * count.low
        added = f"{fine.text} answered and {failed.text} failed"
    if told > count.high:
        text = f"{name_of(row, table)}: {added} are more than the {count.text} requests."
        return contradicts("parts", table, "certain", text)
    most = fine.high + (late.high if late else 0.0)
    rest = f", which leaves {plain(count.value - fine.value - (late.value if late else 0))}"
    text = f"{name_of(row, table)}: {added} of {count.text} requests"
    return Finding(
        "parts", "holds", "certain", text + ("." if most >= count.low else f"{rest}."), table.name
    )


def shares(table: PublishedTable) -> Iterator[Finding]:
    """No more than all requests fail, and no more than all cores are busy."""
    for row in table.rows:
        failed, cores = table.figure(row, "error_share"), table.figure(row, "cpu_cores")
        if failed is not None and failed.low > 1:
            text = (
                f"{name_of(row, table)}: {failed.text} of the requests are more than all of them."
            )
            yield contradicts("parts", table, "certain", text)
        if cores is not None and table.cpus is not None and cores.low > 1.02 * table.cpus:
            text = (
                f"{name_of(row, table)}: {cores.text} busy cores are more than the "
                f"{plain(table.cpus)} it may use."
            )
            yield contradicts("parts", table, "certain", text)


def whole_requests(table: PublishedTable) -> Iterator[Finding]:
    """A share of errors has to be that of a whole number of requests."""
    for row in table.rows:
        failed, count = table.figure(row, "error_share"), table.figure(row, "samples")
        if failed is None or count is None or count.low == 0:
            continue
        if math.floor(failed.high * count.high) < math.ceil(failed.low * count.low - 1e-9):
            yield contradicts(
                "whole requests",
                table,
                "certain",
                f"{name_of(row, table)}: {failed.text} of {count.text} requests is not a whole "
                "number of requests.",
            )


def mean_of_counts(table: PublishedTable) -> Iterator[Finding]:
    """A mean of N whole counts is a multiple of 1/N (the GRIM test of Brown and Heathers, 2017)."""
    every, lasted = table.rate_every, table.load.duration
    if every is None or lasted is None:
        return
    number = max(1, round(lasted / every))
    good = []
    for row in single(table):
        rate = table.figure(row, "throughput")
        if rate is None or rate.step * number >= 1:
            continue
        nearest = round(rate.value * number) / number
        if abs(nearest - rate.value) > rate.step / 2 + 1e-9:
            yield contradicts(
                "whole requests",
                table,
                "likely",
                f"{name_of(row, table)}: {rate.text}/s cannot be a mean of {number} whole counts, "
                f"one every {plain(every)} s, although the others are: it was measured or "
                "recorded differently.",
            )
        else:
            good.append(name_of(row, table))
    yield from agreed("whole requests", table, good, f"Throughput is a mean of {number} counts")


def thread_rates(table: PublishedTable) -> Iterator[Finding]:
    """The mean rate of a thread x threads against the throughput."""
    threads = table.load.threads
    for row in single(table):
        rate, thread = table.figure(row, "throughput"), table.figure(row, "thread_rate")
        if threads is None or rate is None or thread is None or rate.value <= 0:
            continue
        if not tool(table.load.tool).adds_slow:
            continue
        told = (
            f"{name_of(row, table)}: {threads} threads at {thread.text}/s each are "
            f"{plain(thread.value * threads)}/s"
        )
        ratio, most = thread.low * threads / rate.high, thread.high * threads / rate.low
        if ratio > PAUSES:
            yield contradicts(
                "thread rates",
                table,
                "likely",
                f"{told}, {plain(ratio)} times the {rate.text}/s: {table.load.tool} takes a sample "
                "only when answers came and counts each alike, so pauses hardly lower its mean.",
            )
        elif most < 1 / PAUSES:
            yield contradicts(
                "thread rates",
                table,
                "likely",
                f"{told}, less than the {rate.text}/s of all threads together.",
            )
