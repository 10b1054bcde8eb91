"""How long each load is made where a description leaves that open: as the budget allows.

A start and its warm-up take longer than a short measurement, and beside other programs much of what
sets two measurements apart is chance within them: then fewer starts with longer measurements tell
more (Kalibera & Jones 2013, ISMM, section 6). Too few starts leave Student's t wide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from webdyno.catalog.description import Description
from webdyno.catalog.server import Server
from webdyno.errors import UserError
from webdyno.report.numbers import duration
from webdyno.run.budget.estimates import FURTHER_S, START_S
from webdyno.verdict.looks import LEAST_BLOCKS

SHORTEST_S, LONGEST_S = 3.0, 10.0

LEAST_BUDGET_S = 30.0
"""Of a comparison: what one repetition takes, without a build."""

BLOCKS = (6, 5, 4, 3)
"""What is aimed at: the first that leaves a load its shortest length."""

LEAST_START_S = 5.4
"""What a start and its warm-up take at the least, beside a neighbour."""

VERSIONS = 3
"""That are started in each block: both, and the control."""


@dataclass(frozen=True)
class Lengths:
    """Seconds that each load is made; `full_s` is that of the load of one user, too."""

    full_s: float
    steady_s: float


def lengths_of(description: Description, servers: Sequence[Server] = ()) -> Lengths:
    """As the description says, else by its budget; `servers` are started in each block, or are
    running already where there are none."""
    keys = description.load
    by_budget = _by_budget(description, servers) if servers else _of_running(description)
    full_s = keys.duration or by_budget
    return Lengths(full_s, keys.steady_duration or keys.duration or by_budget)


def check_budget(description: Description) -> None:
    """Raise `UserError` for a budget in which nothing can be compared."""
    if description.budget < LEAST_BUDGET_S:
        raise UserError(
            f"budget: {duration(description.budget)} is too short to compare two versions; give "
            f"at least {duration(LEAST_BUDGET_S)} (5m is the default)"
        )


def too_short(description: Description, servers: Sequence[Server]) -> str:
    """That a budget has no time for the fewest blocks with its first load; else empty."""
    made_s = description.load.duration or SHORTEST_S
    least_s = VERSIONS * LEAST_BLOCKS * (_start_s(servers) + made_s)
    if description.budget >= least_s:
        return ""
    return (
        f"a budget of {duration(description.budget)} is likely to end before the {LEAST_BLOCKS} "
        f"repetitions that any answer takes; give --budget {math.ceil(least_s / 60)}m"
    )


def _start_s(servers: Sequence[Server]) -> float:
    """What a start and its warm-up take."""
    warm_s = max(server.warmup_of().likely_s for server in servers)
    return max(LEAST_START_S, warm_s + START_S)


def _of_running(description: Description) -> float:
    """As long as leaves half of the budget to more than the fewest blocks."""
    loads = VERSIONS * LEAST_BLOCKS * len(description.kinds())
    return min(SHORTEST_S, description.budget / 2 / loads)


def _by_budget(description: Description, servers: Sequence[Server]) -> float:
    start_s = _start_s(servers)
    kinds = description.kinds()
    # Where not all loads fit, the first of them has it all.
    for made in (kinds, kinds[:1]):
        further = 0 if description.services else sum(kind != "alone" for kind in made) - 1
        beside_s = (len(made) - further) * start_s + further * FURTHER_S
        # In the first block each load has its own start.
        extra_s = further * (start_s - FURTHER_S)
        for blocks in BLOCKS:
            each_s = (description.budget / VERSIONS - extra_s) / blocks
            left_s = (each_s - beside_s) / len(made)
            if left_s >= SHORTEST_S:
                return round(min(left_s, LONGEST_S), 1)
    return SHORTEST_S
