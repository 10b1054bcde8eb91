"""Whether a server kept up with an open load, or answered part of it only after its end."""

from __future__ import annotations

from math import sqrt

SPREAD = 3.0
"""Standard deviations of a Poisson number by which the requests under way at a load's end may
exceed their mean."""


def answered_in_time(
    *,
    offered: int,
    ok: int,
    after_end: int,
    seconds: float,
    elapsed_s: float,
    mean_s: float = 0.0,
    least_s: float = 0.0,
) -> float:
    """Part of an open load's requests that were answered while it lasted, and as many of those
    after it as any end finds under way.

    A server that falls behind with connections to spare answers all in the end, late. How many it
    usually has under way follows from Little's law: its rate before the end times the mean latency
    `mean_s`. Where it falls behind from the beginning, twice as many are left. A slow answer is no
    queue: those of the last `least_s`, the smallest latency, are always under way.

    `after_end` counts the answers after the last send; where that came later than the `seconds` of
    the schedule, for want of a free connection, those meanwhile are late as well.
    """
    over_s = max(0.0, elapsed_s - seconds) if after_end else 0.0
    during = max(0.0, (ok - after_end) * (1 - over_s / max(elapsed_s, 1e-9)))
    span_s = max(seconds, 1e-9)
    under_way = max(during / span_s * mean_s, offered / span_s * least_s)
    left = ok - during - under_way - SPREAD * sqrt(max(1.0, under_way))
    return (ok - max(0.0, left)) / max(1, offered)
