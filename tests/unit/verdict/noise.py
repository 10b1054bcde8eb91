"""Noise of real machines, as models: what trials of equal servers look like, on the logarithm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SIGMA = 0.02
"""Noise of one trial, about 2%: a quiet laptop has half of it, a busy cloud machine twice."""


def gaussian(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    return SIGMA * rng.standard_normal(shape)


def heavy_tails(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    return SIGMA * rng.standard_t(3, shape)


def skewed(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    return -SIGMA * rng.standard_exponential(shape)


def two_modes(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    """A process starts in a fast or a slow mode (memory layout, which core) and stays there."""
    return 4 * SIGMA * (rng.random(shape) < 0.5) + gaussian(rng, shape) / 4


def slow_trial_in_ten(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    return gaussian(rng, shape) - 0.15 * (rng.random(shape) < 0.1)


def slow_block_in_ten(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    """The machine loses 30%, not all servers lose the same, and each trial is noisier."""
    slow = rng.random((*shape[:2], 1)) < 0.1
    return gaussian(rng, shape) + slow * (-0.36 + 0.1 * rng.standard_normal(shape))


def block_cut_in_two(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    """In one block of ten the machine becomes 20% slower after some of the trials."""
    place = rng.random(shape).argsort(axis=2)
    begin = rng.integers(0, shape[2], (*shape[:2], 1))
    slow = (rng.random((*shape[:2], 1)) < 0.1) & (place >= begin)
    return gaussian(rng, shape) - 0.22 * slow


def drifting(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    """The machine becomes 5% slower with every block, steadily; the order is random."""
    place = rng.random(shape).argsort(axis=2) / shape[2]
    return gaussian(rng, shape) - 0.05 * (np.arange(shape[1])[None, :, None] + place)


def bursts(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    """Neighbours come and go: autocorrelated from trial to trial in time; the order is random."""
    repetitions, blocks, entries = shape
    steps = rng.standard_normal((repetitions, blocks * entries))
    state = steps[:, 0]
    in_time = np.empty_like(steps)
    for now in range(blocks * entries):
        state = 0.9 * state + (1 - 0.9**2) ** 0.5 * steps[:, now]
        in_time[:, now] = state
    order = rng.random(shape).argsort(axis=2)
    return 3 * SIGMA * np.take_along_axis(in_time.reshape(shape), order, 2) + gaussian(rng, shape)


def autocorrelated(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    """Each entry fares alike from block to block, for no reason that restarting it mends."""
    noise = rng.standard_normal(shape)
    for block in range(1, shape[1]):
        noise[:, block] = 0.2 * noise[:, block - 1] + (1 - 0.2**2) ** 0.5 * noise[:, block]
    return SIGMA * noise


def one_noisy_entry(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    noise = gaussian(rng, shape)
    noise[..., 0] *= 5
    return noise


def unlike_entries(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    """Some servers are twice or thrice as noisy as others; which, differs each time."""
    return gaussian(rng, shape) * np.exp(0.5 * rng.standard_normal((shape[0], 1, shape[2])))


def failing_trials(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    return np.where(rng.random(shape) < 0.1, np.nan, gaussian(rng, shape))


def all_of_it(rng: np.random.Generator, shape: tuple[int, int, int]) -> Array:
    """Bursts, heavy tails, drift and slow blocks at once, on unlike servers."""
    unlike = np.exp(0.3 * rng.standard_normal((shape[0], 1, shape[2])))
    calm = bursts(rng, shape) + heavy_tails(rng, shape) * unlike
    return calm + slow_block_in_ten(rng, shape) + drifting(rng, shape)


Model = Callable[[np.random.Generator, tuple[int, int, int]], Array]

MODELS: tuple[Model, ...] = (
    gaussian,
    heavy_tails,
    skewed,
    two_modes,
    slow_trial_in_ten,
    slow_block_in_ten,
    block_cut_in_two,
    drifting,
    bursts,
    autocorrelated,
    one_noisy_entry,
    unlike_entries,
    failing_trials,
    all_of_it,
)
