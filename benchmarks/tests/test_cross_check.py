"""The minute of `doctor --generators` and the benchmarks know the same truth."""

import pytest
from benchmarks.truth.models import stall
from benchmarks.truth.simulate import truth

from webdyno.generators.cross_check.check import OPEN_S, stall_truth_ms


@pytest.mark.parametrize(("rate", "connections"), [(1000, 64), (1000, 4), (300, 2)])
def test_both_simulations_agree(rate: int, connections: int) -> None:
    other = truth("uniform", rate, OPEN_S, stall, connections)
    assert stall_truth_ms(rate, OPEN_S, connections) == pytest.approx(other, rel=0.01)
