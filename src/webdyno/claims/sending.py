"""What an open load sends, and how long a load lasts, against the rates and lengths of the rows."""

from __future__ import annotations

import math
from collections.abc import Iterator

from webdyno.catalog.studies.published_table import PublishedTable
from webdyno.catalog.terms import quantity
from webdyno.claims.finding import Finding, contradicts, name_of, plain, seconds, single

SLACK = 0.03
"""How far a run may last beyond its nominal length, and a rate lie above its nominal one."""
DEVIATIONS = 4.0
"""Of a count of random arrivals: nobody sees more by chance."""
LONGER = 1.25
"""Ends of a run, such as answers that are waited for, make it no longer than this."""


def sent_rates(table: PublishedTable) -> Iterator[Finding]:
    """An open load: no rate is above the highest that is sent, and the mean rate x the length of
    the phases is the number of requests."""
    if table.load.kind != "open":
        return
    phases = [quantity.phase(text) for text in table.load.phases]
    most = max(phase.most_rps for phase in phases)
    lasted, sent = sum(phase.duration_s for phase in phases), table.load.offered() or 0.0
    ways = " and ".join(dict.fromkeys(table.load.phases))
    for row in single(table):
        chance = DEVIATIONS / math.sqrt(sent) if sent else 0.0
        for key, what in (("throughput", "answered"), ("at_rate", "sent")):
            rate = table.figure(row, key)
            if rate is not None and rate.low > most * (1 + SLACK + chance):
                yield contradicts(
                    "rate and time", table, "likely",
                    f"{name_of(row, table)}: {rate.text}/s {what} are more than the load sends at "
                    f"any time ({ways}).",
                )  # fmt: skip
        count, rate = table.figure(row, "samples"), table.figure(row, "at_rate")
        if count is None or rate is None or rate.low <= 0:
            continue
        if any(_within(phase, rate.low, rate.high) for phase in phases):
            continue  # That of one phase, not of all.
        least, longest = count.low / rate.high, count.high / rate.low
        if least > lasted * (1 + SLACK) or longest < lasted * (1 - SLACK):
            yield contradicts(
                "rate and time", table, "likely",
                f"{name_of(row, table)}: {count.text} requests at {rate.text}/s take "
                f"{seconds(count.value / rate.value)}, not the {seconds(lasted)} of the phases: "
                "either they were not sent as planned, or the rate is not their mean.",
            )  # fmt: skip


def _within(phase: quantity.Phase, low: float, high: float) -> bool:
    """Whether the rate between `low` and `high` is one of the phase."""
    ends = sorted((phase.rps, phase.last_rps))
    return high >= ends[0] * (1 - SLACK) and low <= ends[1] * (1 + SLACK)


def lengths(table: PublishedTable) -> Iterator[Finding]:
    """The length that was measured against the one that was asked for."""
    stated = table.load.duration
    if stated is None or table.load.kind == "open":
        return
    for row in single(table):
        time = table.figure(row, "duration")
        if time is None:
            continue
        if time.high < stated * (1 - SLACK) or time.low > stated * LONGER:
            than = "less" if time.high < stated else "more"
            yield contradicts(
                "duration", table, "likely",
                f"{name_of(row, table)}: it lasted {time.text}, {than} than the stated "
                f"{plain(stated)} s.",
            )  # fmt: skip
