"""What a machine's pauses alone do to a schedule."""

import random

import numpy as np
import pytest
from benchmarks.load_generators.pauses import Pauses, lags, merged


def by_hand(
    stalls: list[tuple[float, float]], start: float, seconds: float, rate: float, most: float
) -> list[float]:
    """The same, one send after the other."""
    late, free = [], start
    for number in range(round(rate * seconds)):
        due = start + (number + 0.5) / rate
        begun = max(due, free)
        for begin, end in stalls:
            if begin <= begun < end:
                begun = end
        free = begun + 1 / most
        for begin, end in stalls:
            if begun <= begin < free:
                free += end - begin
        late.append(begun - due)
    return late


def test_without_pauses_every_send_is_on_time() -> None:
    assert lags([], 100.0, 2.0, 1000, 2000).max() < 1e-9


def test_a_pause_is_caught_up_with_what_the_rate_leaves() -> None:
    # 10 ms lost at half of what can be sent: after 10 ms more nothing is late.
    late = lags([(100.5, 100.51)], 100.0, 1.0, 1000, 2000)
    assert late.max() == pytest.approx(0.010, abs=0.001)
    assert (late > 1e-6).sum() == pytest.approx(20, abs=1)


def test_it_is_what_sending_one_after_the_other_gives() -> None:
    draw = random.Random(7)
    begins = [100 + draw.random() for _ in range(30)]
    stalls = merged((begin, begin + draw.expovariate(1 / 0.004)) for begin in begins)
    found = lags(stalls, 100.0, 1.0, 850, 1000)
    assert np.allclose(found, by_hand(stalls, 100.0, 1.0, 850, 1000), atol=1e-6)
    assert np.quantile(found, 0.999) > 0.01


def test_a_server_s_pause_counts_once_all_connections_wait_for_it() -> None:
    pauses = Pauses(client=[(1.0, 1.1)], server=[(2.0, 2.05), (1.02, 1.2)], start=0.0)
    # 64 connections at 1,000/s are used up after 64 ms.
    assert pauses.stalls(64, 1000) == [(1.0, 1.2)]
    assert pauses.stalls(10, 1000) == [(1.0, 1.2), (2.01, 2.05)]
