"""Latency distributions out of the trials' HdrHistograms (V2, base64), pooled over blocks.

Figures of several trials are never averaged as percentiles: their counts are added and the
percentiles read from the sum.
"""

from __future__ import annotations

import binascii
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from hdrh.codec import HdrCookieException, HdrLengthException
from hdrh.histogram import HdrHistogram

if TYPE_CHECKING:
    from collections.abc import Iterable

PER_DECADE = 12
"""Points of a curve for each further nine of its percentiles."""

UNREADABLE = (
    binascii.Error,
    zlib.error,
    HdrCookieException,
    HdrLengthException,
    ValueError,
    TypeError,
    IndexError,
)


@dataclass(frozen=True)
class Distribution:
    """Counts of values: `values_us` ascending, `counts` beside them."""

    values_us: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]

    @property
    def total(self) -> int:
        """Number of recorded answers."""
        return int(self.counts.sum())

    def quantile(self, q: float) -> float:
        """The value in µs that a share `q` (0..1) of the answers does not exceed."""
        cumulative = np.cumsum(self.counts)
        index = int(np.searchsorted(cumulative, max(1.0, np.ceil(q * cumulative[-1]))))
        return float(self.values_us[min(index, len(self.values_us) - 1)])


def pooled(encoded: Iterable[str]) -> Distribution | None:
    """Add up encoded histograms, passing over unreadable and empty ones; None if none is left."""
    values: list[npt.NDArray[np.float64]] = []
    counts: list[npt.NDArray[np.int64]] = []
    for text in encoded:
        try:
            histogram = decode(text)
        except UNREADABLE:
            continue
        if histogram.total:
            values.append(histogram.values_us)
            counts.append(histogram.counts)
    if not values:
        return None
    unique, where = np.unique(np.concatenate(values), return_inverse=True)
    summed = np.zeros(len(unique), dtype=np.int64)
    np.add.at(summed, where, np.concatenate(counts))
    return Distribution(unique, summed)


def decode(encoded: str) -> Distribution:
    """Read one histogram of nanoseconds. Raises one of `UNREADABLE` where it is not one."""
    histogram = HdrHistogram.decode(encoded)
    counts = np.frombuffer(histogram.counts, dtype=np.uint64).astype(np.int64)
    index = np.flatnonzero(counts)
    # The highest value of each slot, in the layout of HdrHistogram: the first half bucket has
    # slots of one unit, every later one slots of twice the width.
    magnitude = histogram.sub_bucket_half_count_magnitude
    half = histogram.sub_bucket_half_count
    bucket = (index >> magnitude) - 1
    slot = (index & (half - 1)) + np.where(bucket < 0, 0, half)
    shift = np.maximum(bucket, 0) + histogram.unit_magnitude
    highest = ((slot + 1) << shift) - 1
    return Distribution(highest / 1000.0, counts[index])


def percentile_curve(distribution: Distribution) -> list[tuple[float, float]]:
    """Points (1 / (1 - q), value in µs) from the median on, `PER_DECADE` for each further nine.

    The curve ends where only one answer is left above it: beyond that, nothing was seen.
    """
    total = distribution.total
    if total < 3:
        return []
    last = np.log10(total)
    nines = np.unique(np.append(np.arange(np.log10(2), last, 1 / PER_DECADE), last))
    cumulative = np.cumsum(distribution.counts)
    wanted = np.maximum(1.0, np.ceil((1 - 10.0**-nines) * total))
    found = distribution.values_us[
        np.minimum(np.searchsorted(cumulative, wanted), len(cumulative) - 1)
    ]
    return [(float(10**x), float(y)) for x, y in zip(nines, found, strict=True)]
