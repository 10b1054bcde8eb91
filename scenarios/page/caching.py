"""Which answers come from a cache in front of the server, and how many of a load do not."""

from __future__ import annotations

import math

import httpx

from webdyno.verifier import Sample

# Time that a request and a busy machine may add to the age that is allowed.
SLACK_S = 1.5


def is_kept(sample: Sample) -> bool:
    """Whether an answer of the load says that it comes from a cache."""
    return _is_hit(sample.header("x-cache"))


def is_kept_answer(answer: httpx.Response) -> bool:
    """Whether an answer to the verifier says so."""
    return _is_hit(answer.headers.get("x-cache", ""))


def _is_hit(x_cache: str) -> bool:
    return x_cache.upper() == "HIT"


def least_fresh(sampled: int, kept: int, of: int) -> float:
    """The share of `of` answers that at least were not from a cache, where of `sampled` ones, drawn
    at random, `kept` were: wrong once in a million times."""
    fresh = sampled - kept
    if sampled == 0:
        return 0.0
    if sampled >= of:
        return fresh / sampled
    # Four standard deviations of a Poisson distribution, and what none seen may still be.
    bounds = fresh - 4 * math.sqrt(fresh), fresh - 4 * math.sqrt(kept) - 16
    return max(0.0, *bounds) / sampled


def fresh_answers(sampled: int, kept: int, of: int) -> int:
    """How many of `of` answers were not from a cache, at the least; see `least_fresh`."""
    return math.floor(of * least_fresh(sampled, kept, of))
