"""How long each load is made where a description leaves that open: as the budget allows.

A start and its warm-up take longer than a short measurement, and beside other programs most of what
sets two measurements apart is chance within them: then longer measurements tell as much as more
starts do (Kalibera & Jones 2013, ISMM, section 6). Too few starts leave Student's t wide.

Time beyond the shortest loads goes first to the full load. It decides most answers: CPU per request
varied 1.0 to 1.7 times as much from second to second under the steady load (Node.js, Go).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.servers.server import Server
from webdyno.run.budget.estimates import FURTHER_S, START_S
from webdyno.verdict.sequential.looks import LEAST_BLOCKS
from webdyno.words import duration

SHORTEST_S, LONGEST_S = 3.0, 10.0

BLOCKS = tuple(range(10, LEAST_BLOCKS - 1, -1))
"""What is aimed at: the first that leaves each load its shortest length."""

LEAST_START_S = 6.4
"""What a start and its warm-up take at the least, beside a neighbour."""

FULL_SHARE = 2 / 3
"""Of the time of the full and the steady load together."""

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
    by_budget = _by_budget(description, servers) if servers else _of_running(description)
    return Lengths(
        _given_s(description, "full") or by_budget.full_s,
        _given_s(description, "steady") or by_budget.steady_s,
    )


def too_short(description: Description, servers: Sequence[Server]) -> str:
    """That a budget has no time for the fewest blocks with its first load; else empty."""
    made_s = _given_s(description, description.kinds()[0]) or SHORTEST_S
    least_s = VERSIONS * LEAST_BLOCKS * (_start_s(servers) + made_s)
    if description.budget >= least_s:
        return ""
    return (
        f"a budget of {duration(description.budget)} is likely to end before the {LEAST_BLOCKS} "
        "blocks that any answer needs, and the trials that it begins may take longer; give "
        f"--budget {math.ceil(least_s / 60)}m"
    )


def _given_s(description: Description, kind: str) -> float | None:
    """How long a load is by its description; None where that leaves it open."""
    keys = description.load
    return (keys.steady_duration if kind == "steady" else None) or keys.duration


def _start_s(servers: Sequence[Server]) -> float:
    """What a start and its warm-up take."""
    warm_s = max(server.warmup_of().likely_s for server in servers)
    return max(LEAST_START_S, warm_s + START_S)


def _of_running(description: Description) -> Lengths:
    """As long as leaves half of the budget to more than the fewest blocks."""
    loads = VERSIONS * LEAST_BLOCKS * len(description.kinds())
    each_s = min(SHORTEST_S, description.budget / 2 / loads)
    return Lengths(each_s, each_s)


def _by_budget(description: Description, servers: Sequence[Server]) -> Lengths:
    start_s = _start_s(servers)
    kinds = description.kinds()
    # Where not all loads fit, the first of them has it all.
    for fitting in (kinds, kinds[:1]):
        further = 0 if description.services else sum(kind != "alone" for kind in fitting) - 1
        beside_s = (len(fitting) - further) * start_s + further * FURTHER_S
        # In the first block each load has its own start.
        extra_s = further * (start_s - FURTHER_S)
        given_s = _given_s(description, "steady") if "steady" in fitting else None
        for blocks in BLOCKS:
            left_s = (description.budget / VERSIONS - extra_s) / blocks - beside_s
            others = len(fitting) - 1 if given_s else len(fitting)
            if left_s - (given_s or 0.0) >= others * SHORTEST_S:
                return _shared_out(left_s, fitting, given_s)
    return Lengths(SHORTEST_S, SHORTEST_S)


def _shared_out(left_s: float, kinds: Sequence[str], given_s: float | None) -> Lengths:
    """The time of a block's loads: the load of one user lasts as long as the full one, the steady
    one as long as is `given_s`, else as its share allows."""
    others = sum(kind != "steady" for kind in kinds)
    if others in (0, len(kinds)):
        return _rounded(left_s / len(kinds), left_s / len(kinds))
    share_s = left_s * (1 - FULL_SHARE) / (FULL_SHARE * others + 1 - FULL_SHARE)
    steady_s = given_s or min(max(SHORTEST_S, share_s), LONGEST_S)
    return _rounded((left_s - steady_s) / others, steady_s)


def _rounded(full_s: float, steady_s: float) -> Lengths:
    return Lengths(round(min(full_s, LONGEST_S), 1), round(min(steady_s, LONGEST_S), 1))
