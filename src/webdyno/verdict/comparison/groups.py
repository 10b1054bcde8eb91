"""Ranked groups of entries that cannot be told apart, derived from the pairs alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def tie_groups(beats: NDArray[np.bool_], estimates: Sequence[float]) -> tuple[tuple[int, ...], ...]:
    """The finest ranking, best group first, in which every entry of a later group is settled
    slower than every entry of each earlier one.

    `beats[i, j]` says that entry i is settled faster than j; never both ways. Two entries that are
    not settled apart (equal, or not separated) share a group, and so do entries that a chain of
    such ties joins: if a ties with b and b with c, all three form one group even where a is
    settled faster than c, because b has no other place. `estimates` order the entries within a
    group, highest first, which claims nothing.

    Draw an arrow from i to j unless j is settled faster than i. Any two entries have at least one
    arrow between them, so the strongly connected parts of the graph stand in one line (Moon 1968,
    Topics on Tournaments, section 3); those parts are the groups. This holds even if "faster" were
    not transitive: a circle becomes one group.
    """
    reach = reachable(~beats.T)
    order = sorted(range(len(beats)), key=lambda i: (-int(reach[i].sum()), -estimates[i]))
    groups = (tuple(j for j in order if reach[i, j] and reach[j, i]) for i in order)
    return tuple(dict.fromkeys(groups))


def reachable(arrows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which entries a chain of `arrows` [from, to] leads to, each to itself as well."""
    reach: NDArray[np.bool_] = arrows | np.eye(len(arrows), dtype=bool)
    for k in range(len(reach)):  # Warshall 1962, JACM 9, 11-12
        reach |= reach[:, k, None] & reach[None, k, :]
    return reach
