"""What `doctor` foretells: noise from restarts, minutes from noise."""

import numpy as np
import pytest

from unit.verdict.noise import gaussian
from unit.verdict.simulate import runs
from webdyno.run.budget.forecast import forecast, measure_forecast, noise_of
from webdyno.verdict import Looks
from webdyno.verdict.estimation.intervals import half_widths
from webdyno.verdict.estimation.pairs import paired_differences


def test_noise_is_that_of_one_figure_from_differences_of_two():
    one, other = 0.02 * np.random.default_rng(1).standard_normal((2, 2000))
    assert noise_of(one - other) == pytest.approx(0.02, rel=0.1)


def test_smaller_differences_and_more_noise_take_longer():
    quiet, noisy = forecast(0.01), forecast(0.05)
    for minutes in (quiet.minutes, noisy.minutes):
        assert minutes[0.10] <= minutes[0.05] <= minutes[0.03]
    assert noisy.minutes[0.10] > quiet.minutes[0.10]
    assert forecast(0.5).minutes[0.03] is None
    assert "3% not within" in forecast(0.5).sentence()
    assert "10% in about" in noisy.sentence()


def test_the_forecast_keeps_its_word():
    """In four of five simulated runs of that length the difference has been found."""
    found = forecast(0.02)
    block_s = 5 * found.trial_s + 1.1
    blocks = round(found.minutes[0.05] * 60 / block_s)
    truth = np.log([1.05, 1.0, 1.0, 1.0, 1.0])
    logs = runs(gaussian, 400, 5, blocks, truth)
    looks, separated = Looks(blocks), np.zeros(400, dtype=bool)
    for look in range(looks.first, blocks + 1):
        pairs = paired_differences(logs[:, :look])
        half = half_widths(pairs, looks.level(look, 0.05 / 6))
        separated |= (pairs.mean - half > 0)[:, 0]
    assert separated.mean() > 0.75


@pytest.mark.slow
def test_the_sentinel_is_really_measured(tmp_path):
    found = measure_forecast(tmp_path, pairs=3)
    assert found is not None
    assert 0 < found.noise < 2
