"""The arithmetic of the two designs, on noise that is known."""

import pytest
from benchmarks.wall_time import Design, as_precise, as_sure


def test_equal_noise_and_short_trials_save_what_they_are_shorter_by():
    short, long = Design(10, 4.0, 0.02, 0.02), Design(10, 17.0, 0.02, 0.02)
    once, always = (as_sure(short, long, looks=looks) for looks in (False, True))
    assert once["fixed_s"] == always["fixed_s"] == 10 * 4 * 2 * 17.0
    # To look after every block costs blocks.
    assert 8 <= once["blocks"] < always["blocks"] <= 40
    assert once["times_less"] == pytest.approx(once["fixed_s"] / once["webdyno_s"])


def test_a_machine_that_drifts_favours_blocks():
    calm = as_sure(Design(10, 4.0, 0.02, 0.02), Design(10, 17.0, 0.02, 0.02), looks=True)
    drifting = as_sure(Design(10, 4.0, 0.02, 0.06), Design(10, 17.0, 0.02, 0.06), looks=True)
    assert drifting["times_less"] > 2 * calm["times_less"]


def test_equal_standard_errors_take_as_many_trials_of_equal_noise():
    found = as_precise(Design(10, 4.0, 0.02, 0.05), Design(10, 17.0, 0.02, 0.02))
    assert found["blocks"] == 10
    assert found["standard_error"] == pytest.approx(0.02 * (2 / 10) ** 0.5)
    noisier = as_precise(Design(10, 4.0, 0.04, 0.05), Design(10, 17.0, 0.02, 0.02))
    assert noisier["blocks"] == 40
