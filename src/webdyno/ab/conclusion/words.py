"""How a claim is told: its size, its sign."""

from __future__ import annotations

import math

from webdyno.ab.conclusion.claims import Claim
from webdyno.report.numbers import bare_percent, percent_end, signed_interval, signed_percent

MOST_SHOWN = 5.0
"""An interval that reaches further (500%) says nothing."""


def rate_text(rate: float) -> str:
    """A rate as it is told, such as `1,200/s`."""
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.3g}/s"


def size_of(claim: Claim) -> str:
    """How large the difference is, such as `4.6% [3.1, 6.2]`, its sign left out."""
    assert claim.change is not None
    assert claim.low is not None
    assert claim.high is not None
    low, high = claim.low, claim.high
    if claim.change < 0:
        low, high = -high, -low
    return f"{bare_percent(abs(claim.change))}% [{percent_end(low, high)}, {bare_percent(high)}]"


def signed(claim: Claim) -> str:
    """The difference with its sign and interval, such as `+4.6% [+3.1, +6.2]`; empty where next to
    nothing is known of it."""
    if claim.change is None or claim.low is None or claim.high is None or claim.high > MOST_SHOWN:
        return ""
    return f"{signed_percent(claim.change)}% {signed_interval(claim.low, claim.high)}"


def by_how_much(claim: Claim, rate: str) -> str:
    """What is said of a difference, such as `by 4.6% [3.1, 6.2] in CPU per request`."""
    return f"by {size_of(claim)} in {claim.name_at(rate)}"


def waited(seconds: float) -> str:
    """A time as one waits for it, rounded up: seconds up to a minute and a half, then minutes, and
    hours from two of them on."""
    if seconds >= 7200:
        return f"{math.ceil(seconds / 3600)} h"
    return f"{math.ceil(seconds / 60)} min" if seconds >= 90 else spent(seconds)


def spent(seconds: float) -> str:
    """A time that has passed, rounded: seconds up to a minute and a half, then minutes."""
    return f"{round(seconds / 60)} min" if seconds >= 90 else f"{max(1, round(seconds))} s"
