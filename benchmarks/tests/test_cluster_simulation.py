"""The simulation of many load machines, where its answer is known."""

import pytest
from benchmarks.cluster_simulation.failures import Hazard, lost, whole_run
from benchmarks.cluster_simulation.merging import cost
from benchmarks.cluster_simulation.start import NETWORKS, Network, starts


def test_a_clock_is_never_wrong_by_more_than_it_says():
    for network in NETWORKS:
        assert starts(network, agents=3, loads=10).beyond_s <= 1e-6


def test_what_one_way_takes_longer_goes_into_the_skew_by_half():
    unequal = starts(Network("unequal", 1e-4, 1e-9, 8e-3), agents=40, loads=20)
    # Of 40 drawn evenly from ± 8 ms the ends are near 8 ms, and half of that is the error.
    assert unequal.skew_s == pytest.approx(8e-3, rel=0.1)
    assert starts(Network("equal", 1e-4, 1e-9, 0.0), agents=40, loads=20).skew_s < 2e-3


def test_losses_add_up_over_machines_and_loads():
    rare = Hazard("rare", 1000)
    assert lost(rare, agents=10, seconds=3600) == pytest.approx(0.01, rel=0.01)
    assert lost(rare, 10, 3600) == pytest.approx(lost(rare, 1, 36_000))
    assert whole_run(rare, 10, 36, 100) == pytest.approx(1 - lost(rare, 10, 3600))


def test_parts_made_up_are_merged_for_real():
    took_s, size = cost(agents=3, seconds=2, rate=500)
    assert took_s > 0
    assert 1_000 < size < 1_000_000
