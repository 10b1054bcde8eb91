"""Comparing two runs: their trials share no blocks, so they are compared as two samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Change:
    """How `new` stands to `old`: a ratio of geometric means with its confidence interval."""

    estimate: float
    low: float
    high: float
    outcome: str
    """`better`, `worse`, `equal` (within the margin), or `not separated`."""


def change(
    old: NDArray[np.float64],
    new: NDArray[np.float64],
    *,
    higher_is_better: bool = True,
    margin: float = 0.03,
    confidence: float = 0.95,
) -> Change | None:
    """Ratio new/old of a positive metric, turned so that above 1 means better.

    Welch's interval on the logarithms (Welch 1947, Biometrika 34), because trials vary by a
    factor rather than by an amount and the two runs need not vary alike. None where either side
    has fewer than two values. `confidence` is for this one comparison: pass a corrected level
    where several are made.
    """
    from scipy import stats

    a, b = np.log(old[old > 0]), np.log(new[new > 0])
    if min(a.size, b.size) < 2:
        return None
    sign = 1.0 if higher_is_better else -1.0
    centre = sign * (b.mean() - a.mean())
    va, vb = a.var(ddof=1) / a.size, b.var(ddof=1) / b.size
    error = float(np.sqrt(va + vb))
    if error == 0:
        half = 0.0
    else:
        freedom = (va + vb) ** 2 / (va**2 / (a.size - 1) + vb**2 / (b.size - 1))
        half = float(stats.t.ppf(0.5 + confidence / 2, freedom)) * error
    low, high = float(np.exp(centre - half)), float(np.exp(centre + half))
    return Change(float(np.exp(centre)), low, high, _outcome(low, high, margin))


def _outcome(low: float, high: float, margin: float) -> str:
    if low >= 1 / (1 + margin) and high <= 1 + margin:
        return "equal"
    if low > 1:
        return "better"
    if high < 1:
        return "worse"
    return "not separated"
