"""Another machine's clock, found by exchanges."""

from __future__ import annotations

import random
import socket
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webdyno.cluster.link.clock import Exchange, answer_clock, best, read_clock
from webdyno.cluster.wire.channel import Channel


def seen(sent: int, offset: int, there: int, back: int, busy: int = 0) -> Exchange:
    """An exchange with a clock that is ahead by `offset`, in nanoseconds."""
    heard = sent + there + offset
    return Exchange(
        sent, heard, heard + busy, sent + there + busy + back, sent + 7, heard + 7 + 3_000
    )


@pytest.mark.slow
@settings(deadline=None)
@given(
    offset=st.integers(-(10**15), 10**15),
    ways=st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), min_size=1, max_size=20),
    busy=st.integers(0, 10**7),
)
def test_the_offset_is_within_its_uncertainty_however_the_ways_differ(
    offset: int, ways: list[tuple[int, int]], busy: int
) -> None:
    clock = best([seen(10**12, offset, there, back, busy) for there, back in ways])
    assert abs(clock.offset_s - offset / 1e9) <= clock.uncertainty_s + 1e-7
    assert clock.uncertainty_s == min(there + back for there, back in ways) / 2e9
    assert abs(clock.wall_offset_s - (offset + 3_000) / 1e9) <= clock.uncertainty_s + 1e-7


def test_the_quickest_of_many_exchanges_counts() -> None:
    draw = random.Random(1)
    queued = [seen(i * 10**6, 50_000_000, draw.randrange(10**6, 10**7), 20_000) for i in range(99)]
    clock = best([*queued, seen(10**9, 50_000_000, 20_000, 20_000)])
    assert clock.offset_s == pytest.approx(0.05, abs=1e-9)
    assert clock.uncertainty_s == pytest.approx(2e-5)
    assert clock.samples == 100
    assert clock.rtt_median_s > clock.rtt_min_s
    assert clock.theirs_ns(1_000) == 50_001_000


def test_the_clock_of_this_machine_is_ours() -> None:
    here, there = socket.socketpair()
    thread = threading.Thread(target=_answer, args=(there,), daemon=True)
    thread.start()
    with Channel(here) as channel:
        clock = read_clock(channel, 20)
    thread.join(5)
    assert abs(clock.offset_s) <= clock.uncertainty_s
    assert abs(clock.wall_offset_s) <= clock.uncertainty_s + 1e-3


def _answer(link: socket.socket) -> None:
    with pytest.raises(ConnectionError):
        answer_clock(Channel(link))
