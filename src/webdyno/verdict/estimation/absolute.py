"""The level of one entry by itself, for tables; comparisons are made on ratios within blocks."""

from __future__ import annotations

import numpy as np

from webdyno.verdict.array import Array


def level(values: Array, confidence: float = 0.95) -> tuple[float, float] | None:
    """Confidence interval of the geometric mean of positive values, by Student's t on logarithms.

    It holds what differs between blocks, so it is wider than the intervals of ratios. None for
    fewer than two values.
    """
    from scipy.special import stdtrit

    logs = np.log(values[np.isfinite(values) & (values > 0)])
    if logs.size < 2:
        return None
    error = float(logs.std(ddof=1)) / np.sqrt(logs.size)
    half = float(stdtrit(logs.size - 1, 0.5 + confidence / 2)) * error
    return float(np.exp(logs.mean() - half)), float(np.exp(logs.mean() + half))
