"""What load generators do to their own figures, as far as it bears on arithmetic."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tool:
    """`tick_s`: latencies are cut off to whole ones, so that means lie up to one too low.
    `keeps_cookies`: a user sends back what it was given. `adds_slow`: made-up latencies correct
    for requests that were not sent. `drops_late`: answers after the time-out count as requests but
    not in latencies."""

    tick_s: float = 0.0
    keeps_cookies: bool = True
    adds_slow: bool = False
    drops_late: bool = False


_TOOLS = {
    # wrk 4: stats_correct() after the run; a latency above the time-out is a time-out only.
    "wrk": Tool(keeps_cookies=False, adds_slow=True, drops_late=True),
    "wrk2": Tool(keeps_cookies=False),
    "ab": Tool(keeps_cookies=False),
    "hey": Tool(keeps_cookies=False),
    "oha": Tool(keeps_cookies=False),
    "autocannon": Tool(tick_s=1e-3, keeps_cookies=False),
    # JMeter keeps cookies only where a cookie manager is added to its plan.
    "jmeter": Tool(tick_s=1e-3),
}


def tool(name: str) -> Tool:
    """What is known of the tool; nothing is held against one that is not known."""
    return _TOOLS.get(name.lower(), Tool())
