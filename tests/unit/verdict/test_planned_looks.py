"""Looks planned by the budget: the promise holds, also in a run that goes on beyond its plan."""

import numpy as np
import pytest

from unit.verdict import noise
from unit.verdict.simulate import miss_rate, most_misses, runs
from webdyno.verdict import Looks, resolvable

pytestmark = pytest.mark.slow

RUNS = 800


@pytest.mark.parametrize("model", [noise.gaussian, noise.bursts, noise.two_modes])
@pytest.mark.parametrize(("planned", "made"), [(3, 3), (5, 5), (5, 14)])
@pytest.mark.parametrize(("entries", "late"), [(2, False), (3, True), (5, False)])
def test_false_claims_stay_below_five_percent(model, planned, made, entries, late):
    truth = np.log(np.linspace(1, 1.3, entries))
    logs = runs(model, RUNS, entries, made, truth, seed=planned)
    assert miss_rate(logs, truth, Looks(planned, late=late)) <= most_misses(RUNS)


def test_late_looks_resolve_more_in_the_end():
    for blocks in (5, 12):
        assert resolvable(blocks, 0.02, 2, looks=Looks(blocks, late=True)) < 0.92 * resolvable(
            blocks, 0.02, 2, looks=Looks(blocks)
        )


def test_a_short_plan_resolves_more_than_a_long_one():
    for blocks in (3, 5):
        assert resolvable(blocks, 0.02, 4, looks=Looks(planned=blocks)) < 0.92 * resolvable(
            blocks, 0.02, 4, looks=Looks(planned=30)
        )
