"""What every verdict must satisfy, whatever the data."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unit.verdict.comparison.conftest import LABELS, by_pair, judged, table
from webdyno.verdict import Looks, compare

pytestmark = pytest.mark.slow


@st.composite
def tables(draw, least=2):
    """Tables of every size, some trials missing, entries near each other and far apart."""
    entries = draw(st.integers(least, 6))
    blocks = draw(st.integers(1, 12))
    levels = draw(
        st.lists(
            st.sampled_from([100.0, 101.0, 103.0, 110.0, 200.0]), min_size=entries, max_size=entries
        )
    )
    values = table(
        levels,
        blocks,
        seed=draw(st.integers(0, 10_000)),
        noise=draw(st.sampled_from([0.002, 0.02, 0.2])),
    )
    for _ in range(draw(st.integers(0, 3))):
        values[draw(st.integers(0, blocks - 1)), draw(st.integers(0, entries - 1))] = math.nan
    return values


@given(tables())
@settings(deadline=None)
def test_every_pair_ends_in_one_coherent_outcome(values):
    verdict = judged(values)
    for (of, to), r in by_pair(verdict).items():
        assert r.low <= r.estimate <= r.high or math.isnan(r.estimate)
        assert verdict.ratio(of, to) == r
        within = r.low >= 1 / 1.03 and r.high <= 1.03
        assert (r.outcome == "equal") == within
        assert (r.outcome == "faster") == (r.low > 1 and not within)
        assert (r.outcome == "slower") == (r.high < 1 and not within)
        assert 0 <= r.p <= 1
        assert (r.p_adjusted <= 0.05 + 1e-12) == (r.low > 1 or r.high < 1) or r.low == r.high


@given(tables())
@settings(deadline=None)
def test_groups_follow_from_the_pairs(values):
    verdict = judged(values)
    ranked = [entry for group in verdict.groups for entry in group]
    assert sorted(ranked + [left.entry for left in verdict.not_ranked]) == sorted(verdict.entries)
    pairs = by_pair(verdict)
    for place, group in enumerate(verdict.groups):
        for later in verdict.groups[place + 1 :]:
            assert all(pairs[a, b].outcome == "faster" for a in group for b in later)
        # And no group could be split: of any two parts, not all of one beat all of the other.
        for cut in range(1, len(group)):
            head, tail = group[:cut], group[cut:]
            assert any(pairs[a, b].outcome != "faster" for a in head for b in tail)


@given(tables())
@settings(deadline=None)
def test_faster_is_transitive(values):
    pairs = by_pair(judged(values, margin=1e-6))
    faster = {pair for pair, r in pairs.items() if r.low > 1}
    for a, b in faster:
        for c in {c for b2, c in faster if b2 == b}:
            # Where trials are missing, intervals may exclude each other and stay as they are.
            assert (a, c) in faster or (np.isnan(values).any() and (c, a) not in faster)


@given(tables(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_the_entries_does_not_matter(values, random):
    labels = LABELS[: values.shape[1]]
    order = list(range(len(labels)))
    random.shuffle(order)
    here, there = compare(values, labels), compare(values[:, order], [labels[i] for i in order])
    one, other = by_pair(here), by_pair(there)
    assert one.keys() == other.keys()
    for pair, r in one.items():
        assert other[pair].low == pytest.approx(r.low, rel=1e-6)
        assert other[pair].high == pytest.approx(r.high, rel=1e-6)


@given(tables(), st.floats(1e-3, 1e6))
@settings(deadline=None)
def test_the_unit_does_not_matter(values, unit):
    for here, there in zip(judged(values).ratios, judged(values * unit).ratios, strict=True):
        assert there.low == pytest.approx(here.low, rel=1e-6)
        assert there.p == pytest.approx(here.p, rel=1e-4, abs=1e-9)


@given(tables())
@settings(deadline=None)
def test_ratios_are_reciprocal(values):
    # A ratio and its inverse, and the metric and its inverse, say the same.
    up, down = judged(values), judged(1 / values, higher_is_better=False)
    for pair, r in by_pair(up).items():
        back = up.ratio(pair[1], pair[0])
        if math.isfinite(r.high):
            assert back.low == pytest.approx(1 / r.high)
            assert back.high == pytest.approx(1 / r.low)
        assert by_pair(down)[pair].low == pytest.approx(r.low, rel=1e-6)


@given(tables(), st.floats(0.6, 0.94))
@settings(max_examples=50, deadline=None)
def test_intervals_are_nested_as_confidence_grows(values, less):
    wide, narrow = (
        by_pair(judged(values, confidence=0.95)),
        by_pair(judged(values, confidence=less)),
    )
    for pair, r in narrow.items():
        assert wide[pair].low <= r.low * (1 + 1e-9)
        assert wide[pair].high >= r.high * (1 - 1e-9)


@given(tables())
@settings(max_examples=50, deadline=None)
def test_more_planned_looks_cost_width(values):
    few, many = by_pair(judged(values, looks=Looks(12))), by_pair(judged(values, looks=Looks(60)))
    assert all(many[pair].low <= r.low * (1 + 1e-9) for pair, r in few.items())
