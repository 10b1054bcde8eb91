"""How often a warm-up is ended too early, and how often too late, by recorded curves.

A curve is judged as a warm-up judges it, on what it has grown to so far, and what it did afterwards
shows whether that was right:

- *Wrong steady*: called steady, though the next `NEXT_S` seconds differ from the curve's warm end
  (its last 40%) by more than `TOLERANCE` beyond what its noise allows: `SURE` times the standard
  deviation of means over `NEXT_S` within the warm end. Rate and CPU time per answer, compilers not
  counted, both have to agree. Where others used the server's cores, or it got less CPU time than at
  the warm end (its generator was held up), the rate is not its own: then CPU time per answer alone.
- *Wrong not steady*: not called steady within `PATIENCE_S` after it was warm, by its label.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.warm_up_curves.curve import Curve
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.trial.warm_up import JUDGE_EVERY
from webdyno.verdict.array import Array
from webdyno.verdict.steadiness.steady import Steady, steady_state
from webdyno.verdict.steadiness.warm import FOREIGN, Windows, warm

Judge = Callable[[Windows], Steady]

NEXT_S = 2.0
WARM_END = 0.6
TOLERANCE = 0.05
SURE = 2.5
PATIENCE_S = 10.0
COMPILING = 0.15
"""Far above what warm runtimes were seen to take, and far below what others were."""


@dataclass(frozen=True)
class SteadyDecision:
    """When a curve was called steady (None: never), and how far the next seconds were from its warm
    end, beyond what its noise allows: above `TOLERANCE` is wrong."""

    at_s: float | None
    deviation: float = 0.0

    @property
    def wrong(self) -> bool:
        """Whether it was called steady too early."""
        return self.deviation > TOLERANCE


def decide(
    curve: Curve, judge: Judge, least_s: float, most_s: float = float("inf")
) -> SteadyDecision:
    """When `judge`, asked as a warm-up asks, calls the curve steady."""
    due_s = least_s
    for size, end_s in enumerate(curve.windows.ends_s, 1):
        if end_s > min(most_s, curve.windows.seconds - NEXT_S):
            break
        if end_s < due_s:
            continue
        due_s = end_s * (1 + JUDGE_EVERY)
        if judge(prefix(curve.windows, size)).steady:
            return SteadyDecision(float(end_s), deviation(curve.windows, float(end_s)))
    return SteadyDecision(None)


def by_current_rule(bounds: Bounds) -> Judge:
    """Today's judgement."""
    return lambda windows: warm(windows, bounds)


def by_older_rule(windows: Windows) -> Steady:
    """The older one: an even level of rate and CPU time per answer is enough."""
    rates = windows.answers / np.diff(windows.ends_s, prepend=0.0)
    if windows.cpu_s is None:
        return steady_state(windows.ends_s, rates)
    return steady_state(windows.ends_s, rates, windows.cpu_s / np.maximum(windows.answers, 1.0))


def prefix(windows: Windows, size: int) -> Windows:
    """The first `size` windows."""

    def cut(values: Array | None) -> Array | None:
        return None if values is None else values[:size]

    return Windows(
        windows.ends_s[:size],
        windows.answers[:size],
        cut(windows.cpu_s),
        cut(windows.compiler_s),
        cut(windows.compiler_wait_s),
        cut(windows.busy_s),
    )


def deviation(windows: Windows, since_s: float) -> float:
    """How far the `NEXT_S` after `since_s` are from the warm end, beyond what noise allows."""
    return max(_off(windows, since_s, signal) for signal in _signals(windows, since_s))


def warm_from_s(windows: Windows) -> float | None:
    """The earliest moment from which on every `NEXT_S` are like the warm end, and take compilers no
    more than `COMPILING` of the CPU time; None where the last of them are not. A label is made of
    it, once somebody has looked at the curve."""
    found = None
    for end_s in reversed([0.0, *windows.ends_s[windows.ends_s <= windows.seconds - NEXT_S]]):
        if (
            deviation(windows, float(end_s)) > TOLERANCE
            or _compiling(windows, float(end_s)) > COMPILING
        ):
            break
        found = float(end_s)
    return found


def _signals(windows: Windows, since_s: float) -> list[tuple[Array, Array]]:
    """Pairs whose quotient, summed over some time, is a level: rate, and CPU time per answer."""
    widths = np.diff(windows.ends_s, prepend=0.0)
    found = [(windows.answers, widths)]
    if windows.cpu_s is None or not windows.cpu_s.any():
        return found
    own = windows.cpu_s if windows.compiler_s is None else windows.cpu_s - windows.compiler_s
    cost = (own, windows.answers)
    end = windows.ends_s > WARM_END * windows.seconds
    used = (windows.cpu_s, widths)
    share = float(windows.cpu_s[end].sum() / widths[end].sum())
    if np.exp(_level(windows, since_s, used)) < (1 - TOLERANCE) * share:
        return [cost]
    if windows.busy_s is not None:
        for within in (end, _next(windows, since_s)):
            busy_s = float(windows.busy_s[within].sum())
            if busy_s - float(windows.cpu_s[within].sum()) > FOREIGN * busy_s:
                return [cost]
    return [*found, cost]


def _off(windows: Windows, since_s: float, signal: tuple[Array, Array]) -> float:
    over, under = signal
    end = windows.ends_s > WARM_END * windows.seconds
    level = float(np.log(over[end].sum() / under[end].sum()))
    begins = windows.ends_s[end & (windows.ends_s <= windows.seconds - NEXT_S)]
    means = [_level(windows, float(begin), signal) for begin in begins]
    noise = float(np.std(means)) if len(means) > 1 else 0.0
    return abs(_level(windows, since_s, signal) - level) - SURE * noise


def _level(windows: Windows, since_s: float, signal: tuple[Array, Array]) -> float:
    over, under = signal
    within = _next(windows, since_s)
    if not over[within].any() or not under[within].any():
        return 0.0
    return float(np.log(over[within].sum() / under[within].sum()))


def _compiling(windows: Windows, since_s: float) -> float:
    if windows.compiler_s is None or windows.cpu_s is None:
        return 0.0
    within = _next(windows, since_s)
    return float(windows.compiler_s[within].sum()) / max(float(windows.cpu_s[within].sum()), 1e-9)


def _next(windows: Windows, since_s: float) -> NDArray[np.bool_]:
    within: NDArray[np.bool_] = (windows.ends_s > since_s) & (
        windows.ends_s <= since_s + NEXT_S + 1e-6
    )
    return within
