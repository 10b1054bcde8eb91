"""Tables of made figures, and their verdicts."""

import numpy as np

from unit.verdict.noise import SIGMA, gaussian
from webdyno.verdict import compare

LABELS = ["a", "b", "c", "d", "e", "f"]


def table(levels, blocks, *, seed=1, noise=SIGMA):
    rng = np.random.default_rng(seed)
    entries = len(levels)
    common = 0.2 * rng.standard_normal((blocks, 1))
    return np.array(levels) * np.exp(
        common + noise / SIGMA * gaussian(rng, (1, blocks, entries))[0]
    )


def judged(values, **how):
    return compare(values, LABELS[: values.shape[1]], **how)


def by_pair(verdict):
    return {(r.of, r.to): r for ratio in verdict.ratios for r in (ratio, ratio.turned())}
