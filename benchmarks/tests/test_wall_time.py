"""The arithmetic of the two designs, on noise that is known."""

import pytest
from benchmarks.wall_time import Design, as_sure


def test_equal_noise_and_short_trials_save_what_they_are_shorter_by():
    short, long = Design(10, 4.0, 0.02, 0.02), Design(10, 17.0, 0.02, 0.02)
    found = as_sure(short, long)
    assert found["fixed_s"] == 10 * 4 * 2 * 17.0
    assert 8 <= found["blocks"] <= 40
    assert found["times_less"] == pytest.approx(found["fixed_s"] / found["webdyno_s"])


def test_a_machine_that_drifts_favours_blocks():
    calm = as_sure(Design(10, 4.0, 0.02, 0.02), Design(10, 17.0, 0.02, 0.02))
    drifting = as_sure(Design(10, 4.0, 0.02, 0.06), Design(10, 17.0, 0.02, 0.06))
    assert drifting["times_less"] > 2 * calm["times_less"]
