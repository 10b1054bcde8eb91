"""The models of `engine/known-server` as functions of time. Times are seconds.

A model is given when a request arrives, in order of arrival, and says when it is answered.
"""

from collections.abc import Callable

Model = Callable[[float], float]

_MASK = (1 << 64) - 1


def stall() -> Model:
    """1 ms after reading; of every 2 s since the first request, 1.0 s to 1.2 s is a standstill."""
    first: float | None = None

    def answered(arrival: float) -> float:
        nonlocal first
        first = arrival if first is None else first
        return _stalled(_stalled(arrival, first) + 0.001, first)

    return answered


def _stalled(time: float, first: float) -> float:
    phase = (time - first) % 2.0
    return time + 1.2 - phase if 1.0 <= phase < 1.2 else time


def heavy() -> Model:
    """After a time from a Pareto distribution: 0.5 ms, α = 1.5, at most 500 ms.

    The server's generator (xorshift64) and seed, so that both draw the same times.
    """
    state = 0x9E37_79B9_7F4A_7C15

    def answered(arrival: float) -> float:
        nonlocal state
        state ^= (state << 13) & _MASK
        state ^= state >> 7
        state ^= (state << 17) & _MASK
        unit = ((state >> 11) + 0.5) / (1 << 53)
        return arrival + min(0.5 * float(unit ** (-1 / 1.5)), 500.0) / 1000

    return answered


def queue(service_us: int) -> Model:
    """One at a time, each taking `service_us`: M/D/1 under Poisson arrivals."""
    free = 0.0

    def answered(arrival: float) -> float:
        nonlocal free
        free = max(arrival, free) + service_us / 1e6
        return free

    return answered


def slow_start() -> Model:
    """After 20 ms at first, falling in a straight line to 1 ms within 2 s of the first request."""
    first: float | None = None

    def answered(arrival: float) -> float:
        nonlocal first
        first = arrival if first is None else first
        return arrival + 0.001 + 0.019 * max(2.0 - (arrival - first), 0.0) / 2.0

    return answered
