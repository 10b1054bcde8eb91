"""The arrays that the statistics are computed on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""Figures, or whatever comes of them; NaN where there is none."""
