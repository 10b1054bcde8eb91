"""What the next block has to measure, and how many blocks it may take."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unit.verdict.noise import SIGMA
from webdyno.verdict import (
    Looks,
    blocks_for_equality,
    blocks_needed,
    compare,
    next_blocks,
    resolvable,
)
from webdyno.verdict.sequential.power import half_width

LABELS = ("a", "b", "c", "c (control)")


def verdict(levels, blocks, labels=LABELS, seed=1):
    rng = np.random.default_rng(seed)
    values = np.array(levels) * np.exp(SIGMA * rng.standard_normal((blocks, len(levels))))
    return compare(values, labels, control=(2, 3) if len(labels) == 4 else None)


def test_at_first_everything_is_needed():
    plan = next_blocks(verdict([100, 200, 300, 300], 2))
    assert not plan.settled
    assert plan.entries_still_needed == LABELS
    assert plan.blocks_expected is None


def test_only_what_is_open_is_measured_and_the_control_beside_it():
    plan = next_blocks(verdict([100, 101, 300, 300], 4))
    assert plan.entries_still_needed == LABELS
    assert next_blocks(verdict([100, 101, 300, 300], 4), sentinel=False).entries_still_needed == (
        "a",
        "b",
    )
    assert plan.blocks_expected > 1


def test_settled_needs_nothing():
    plan = next_blocks(verdict([100, 200, 300, 300], 4))
    assert plan.settled
    assert plan.entries_still_needed == ()
    assert plan.blocks_expected == 0


def test_one_entry_has_nothing_to_settle():
    assert next_blocks(verdict([100], 1, labels=("a",))).settled


@pytest.mark.slow
def test_the_expected_blocks_are_about_right():
    """Going on for as long as foretold settles most runs, and half of it few."""
    settled_early = settled_in_time = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        values = np.array([100, 105.0]) * np.exp(SIGMA * rng.standard_normal((60, 2)))
        plan = next_blocks(compare(values[:5], LABELS[:2]))
        if plan.settled:
            continue
        more = plan.blocks_expected
        settled_in_time += compare(values[: 5 + more], LABELS[:2]).settled
        settled_early += compare(values[: 5 + more // 4], LABELS[:2]).settled
    assert settled_in_time >= 20
    assert settled_early < settled_in_time / 2


@given(
    st.floats(0.001, 0.1), st.floats(0.01, 1), st.integers(2, 12), st.sampled_from([0.5, 0.8, 0.95])
)
@settings(deadline=None)
def test_power_and_resolution_are_inverse(noise, difference, entries, power):
    blocks = blocks_needed(difference, noise, entries, power=power)
    if blocks is None:
        assert resolvable(1000, noise, entries, power=power) > difference
        return
    assert resolvable(blocks, noise, entries, power=power) <= difference + 1e-12
    if blocks > 3:
        assert resolvable(blocks - 1, noise, entries, power=power) > difference


def test_what_costs_more_blocks():
    usual = blocks_needed(0.05, 0.02, 4)
    assert blocks_needed(0.03, 0.02, 4) > usual
    assert blocks_needed(0.05, 0.03, 4) > usual
    assert blocks_needed(0.05, 0.02, 12) > usual
    assert blocks_needed(0.05, 0.02, 4, confidence=0.99) > usual
    assert blocks_needed(0.05, 0.02, 4, power=0.95) > usual
    # Looks that are not planned leave more of the error rate to those that are.
    assert resolvable(usual, 0.02, 4, looks=Looks(usual)) < resolvable(usual, 0.02, 4)
    # A difference to one side is found sooner than the absence of any is shown.
    assert blocks_for_equality(0.03, 0.02, 4) > blocks_needed(0.03, 0.02, 4)


def test_before_the_first_look_nothing_is_resolved():
    assert math.isinf(half_width(2, 0.02, 4))
    assert math.isinf(resolvable(2, 0.02, 4))
    assert blocks_needed(0.0001, 0.1, 4) is None


@pytest.mark.slow
@pytest.mark.parametrize("entries", [2, 3, 5, 9])
@pytest.mark.parametrize("blocks", [3, 5, 10, 30])
def test_the_foretold_width_is_that_of_real_intervals(entries, blocks):
    """About the median width in Gaussian noise, or above it."""
    rng = np.random.default_rng(11)
    widths = []
    for _ in range(60):
        values = np.exp(SIGMA * rng.standard_normal((blocks, entries)))
        found = compare(values, [str(i) for i in range(entries)])
        widths.append(np.median([math.log(r.high / r.low) / 2 for r in found.ratios]))
    assert 0.85 < half_width(blocks, SIGMA, entries) / np.median(widths) < 1.5
