"""Looks planned by the budget: the promise holds, also in a run that goes on beyond its plan."""

import numpy as np
import pytest

from unit.verdict import noise
from unit.verdict.simulate import ALPHA, miss_rate, most_misses, runs, watched, webdyno
from webdyno.verdict import Looks, resolvable
from webdyno.verdict.estimation.intervals import half_widths
from webdyno.verdict.estimation.pairs import paired_differences

pytestmark = pytest.mark.slow

RUNS = 800


@pytest.mark.parametrize("model", [noise.gaussian, noise.bursts, noise.two_modes])
@pytest.mark.parametrize(("planned", "made"), [(3, 3), (5, 5), (5, 14)])
@pytest.mark.parametrize(("entries", "late"), [(2, False), (3, True), (5, False)])
def test_false_claims_stay_below_five_percent(model, planned, made, entries, late):
    truth = np.log(np.linspace(1, 1.3, entries))
    logs = runs(model, RUNS, entries, made, truth, seed=planned)
    assert miss_rate(logs, truth, Looks(planned, late=late)) <= most_misses(RUNS)


@pytest.mark.parametrize("model", [noise.gaussian, noise.two_modes, noise.failing_trials])
@pytest.mark.parametrize("planned", [3, 6, 12])
def test_the_mean_with_the_control_keeps_the_error_rate_and_narrows(model, planned):
    """Of two versions and the first once more, as `ab` compares them."""
    truth = np.log([1.0, 1.05, 1.0])
    logs = runs(model, RUNS, 3, planned, truth, seed=planned)
    widths = []
    for twins in (None, (0, 2)):
        missed = np.zeros(RUNS, dtype=bool)
        for _, low, high in watched(
            logs,
            Looks(planned, late=True),
            lambda x, looks, twins=twins: webdyno(x, looks, ranked=2, twins=twins),
        ):
            true = truth[0] - truth[1]
            missed |= (low[:, 0] > true) | (high[:, 0] < true)
        assert missed.mean() <= most_misses(RUNS)
        widths.append(np.nanmedian((high - low)[:, 0]))
    # The mean of two has half of the variance of one: by sqrt(3 / 4). In three blocks the floor
    # beneath the variance takes that back.
    if planned > 3:
        assert widths[1] < 0.95 * widths[0]


@pytest.mark.parametrize("planned", [3, 6, 10])
@pytest.mark.parametrize("noisier", [0.25, 1, 2, 4, 8])
def test_a_version_noisier_than_the_other_is_judged_at_the_rate_allowed(noisier, planned):
    """`ab` makes four claims, each at a quarter of the 5%."""
    many, allowed = 6000, ALPHA / 4
    logs = runs(noise.gaussian, many, 3, planned, np.zeros(3), seed=planned)
    logs[..., 1] *= noisier
    looks, missed = Looks(planned, late=True), np.zeros(many, dtype=bool)
    for blocks in range(looks.first, planned + 1):
        pairs = paired_differences(logs[:, :blocks], twins=(0, 2))
        half = half_widths(pairs, looks.level(blocks, allowed))[:, 0]
        missed |= np.abs(pairs.mean[:, 0]) > half
    assert missed.mean() <= most_misses(many, allowed)


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
