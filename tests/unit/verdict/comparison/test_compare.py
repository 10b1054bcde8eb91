"""One table in, one verdict out."""

import json
import math

import numpy as np
import pytest

from unit.verdict.comparison.conftest import LABELS, judged, table
from webdyno.verdict import Looks, compare


def test_far_apart_is_settled_at_the_first_look():
    verdict = judged(table([100, 200, 400], 3))
    assert verdict.groups == (("c",), ("b",), ("a",))
    assert verdict.settled
    assert verdict.ratio("c", "a").outcome == "faster"
    assert verdict.ratio("a", "c").outcome == "slower"
    assert verdict.ratio("c", "a").low < 4 < verdict.ratio("c", "a").high


def test_before_the_first_look_nothing_is_claimed():
    for blocks in (1, 2):
        verdict = judged(table([100, 200, 400], blocks))
        assert verdict.groups == (("c", "b", "a"),)
        assert all(r.outcome == "too few blocks" and math.isinf(r.high) for r in verdict.ratios)
        assert not verdict.settled


def test_two_that_share_too_few_blocks_are_not_called_not_separated():
    values = table([100, 100, 100, 100], 4)
    values[3, 0] = values[0, 1:] = np.nan
    verdict = judged(values)
    assert verdict.ratio("a", "b").blocks == 2
    assert {verdict.ratio("a", other).outcome for other in "bcd"} == {"too few blocks"}
    assert not verdict.settled
    assert verdict.ratio("b", "c").outcome == "not separated"
    # By way of one that shares enough with both it is known how they differ.
    values[0, 2] = 100
    assert judged(values).ratio("a", "b").outcome in ("equal", "not separated")


def test_alike_becomes_equal_with_enough_blocks():
    verdict = judged(table([100, 100.2, 150], 20, noise=0.005))
    assert verdict.ratio("a", "b").outcome == "equal"
    assert [set(group) for group in verdict.groups] == [{"c"}, {"a", "b"}]
    assert verdict.settled


def test_a_small_difference_that_is_known_counts_as_equal_within_the_margin():
    values = table([100, 101.5], 25, noise=0.002)
    assert judged(values, margin=0.03).ratio("b", "a").outcome == "equal"
    assert judged(values, margin=0.005).ratio("b", "a").outcome == "faster"


def test_lower_is_better_turns_the_ranking():
    values = table([100, 200, 400], 5)
    up, down = judged(values), judged(values, higher_is_better=False)
    assert up.groups == tuple(reversed(down.groups))
    # "2 times better" is what the ratio says either way.
    assert down.ratio("a", "b").estimate == pytest.approx(up.ratio("b", "a").estimate)


def test_what_is_common_to_a_block_cancels():
    calm = table([100, 110, 120], 6)
    wild = calm * np.array([1, 0.5, 2, 0.1, 1, 3])[:, None]
    for mine, other in zip(judged(calm).ratios, judged(wild).ratios, strict=True):
        assert mine.low == pytest.approx(other.low)


def test_the_twin_is_not_ranked_but_gives_the_resolution():
    values = table([100, 130, 130], 6)
    verdict = compare(values, ["a", "b", "b (control)"], control=(1, 2))
    assert verdict.groups == (("b",), ("a",))
    assert len(verdict.ratios) == 1
    assert (verdict.control.of, verdict.control.to) == ("b (control)", "b")
    assert verdict.control.low <= 1 <= verdict.control.high
    assert verdict.resolution == pytest.approx(
        math.sqrt(verdict.control.high / verdict.control.low) - 1
    )
    assert 0.01 < verdict.resolution < 0.2


def test_a_twin_that_differs_from_itself_is_told():
    values = table([100, 130, 180], 6)
    control = compare(values, ["a", "b", "b (control)"], control=(1, 2)).control
    assert not control.low <= 1 <= control.high


def test_the_twin_adds_no_pair_to_the_family():
    """Both the correction and the intervals are those of the servers that compete."""
    values = table([100, 130, 130], 6)
    alone, beside = judged(values[:, :2]), compare(values, LABELS[:3], control=(1, 2))
    # The twin lends degrees of freedom, so its company can only help here.
    assert beside.ratio("b", "a").low > alone.ratio("b", "a").low


def test_the_mean_of_a_server_and_its_control_is_compared_with_others():
    rng = np.random.default_rng(11)
    values = np.exp(0.001 * rng.standard_normal((6, 3))) * np.array([100, 110, 104])
    found = compare(values, ["a", "b", "a (control)"], control=(0, 2))
    assert found.ratio("b", "a").estimate == pytest.approx(110 / math.sqrt(100 * 104), abs=0.002)
    assert found.control is not None
    assert found.control.estimate == pytest.approx(1.04, abs=0.002)
    # In a block without the control's trial, the server's own stands alone.
    values[3:, 2] = math.nan
    half = compare(values, ["a", "b", "a (control)"], control=(0, 2)).ratio("b", "a")
    assert half.estimate == pytest.approx(110 / math.sqrt(100 * math.sqrt(100 * 104)), abs=0.002)


def test_others_do_not_gain_by_the_control():
    values = table([100, 130, 170], 6)
    beside = np.column_stack([values, values[:, 0] * np.exp(0.01 * np.arange(6))])
    with_it = compare(beside, ["a", "b", "c", "a (control)"], control=(0, 3))
    without = compare(values, ["a", "b", "c"])
    assert with_it.ratio("c", "b").estimate == pytest.approx(without.ratio("c", "b").estimate)


def test_entries_are_left_out_with_the_reason_given():
    values = table([100, 200, 400], 5)
    values[1:, 0] = math.nan
    verdict = judged(values, not_ranked={"c": "generator-bound"})
    assert {left.entry: left.reason for left in verdict.not_ranked} == {
        "c": "generator-bound",
        "a": "one valid trial; three are needed",
    }
    assert verdict.groups == (("b",),)
    assert verdict.ratios == ()
    assert verdict.settled


def test_a_server_that_never_answered_spoils_nothing():
    values = np.column_stack([table([100, 200], 4), np.full(4, math.nan)])
    verdict = judged(values)
    assert verdict.groups == (("b",), ("a",))
    assert verdict.not_ranked[0].entry == "c"


def test_zero_infinite_and_missing_values_count_as_nothing():
    values = table([100, 200, 300], 8)
    holes = values.copy()
    holes[0, 0], holes[1, 1], holes[2, 2] = 0.0, math.inf, math.nan
    verdict = judged(holes)
    assert verdict.ratio("a", "b").blocks == 6
    assert verdict.groups == (("c",), ("b",), ("a",))


def test_an_entry_no_longer_measured_keeps_its_intervals():
    values = table([100, 200, 201], 12)
    early = judged(values[:4])
    values[4:, 0] = math.nan
    late = judged(values)
    assert late.ratio("b", "a").low == pytest.approx(early.ratio("b", "a").low)
    assert late.ratio("b", "c").blocks == 12


def test_a_trial_that_yielded_nothing_before_the_only_look_costs_no_more_than_itself():
    looks = Looks(planned=5, first=5)
    values = table([1.0, 2.0], 5)
    for lost in ([4], [0], [3, 4]):
        fewer = values.copy()
        fewer[lost, 0] = np.nan
        (pair,) = judged(fewer, looks=looks).ratios
        assert (pair.outcome, pair.blocks) == ("faster", 5 - len(lost))
    fewer[2, 0] = np.nan
    assert "are needed" in judged(fewer, looks=looks).not_ranked[0].reason


def test_exactly_equal_values_are_equal():
    verdict = judged(np.full((3, 3), 50.0))
    assert {r.outcome for r in verdict.ratios} == {"equal"}
    assert verdict.ratios[0].p == 1
    assert verdict.settled


def test_one_entry_alone_is_settled():
    assert judged(table([100], 3)).groups == (("a",),)
    assert judged(table([100], 3)).settled


def test_what_is_unknown_becomes_null_in_json():
    text = json.dumps(judged(table([100, 200], 1)).as_dict(), allow_nan=False)
    assert json.loads(text)["ratios"][0]["high"] is None


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"labels": ["a"]}, "entries"),
        ({"labels": ["a", "a"]}, "same label"),
        ({"margin": 0.0}, "between 0 and 1"),
        ({"confidence": 1.0}, "between 0 and 1"),
        ({"control": (1, 1)}, "control"),
        ({"control": (0, 2)}, "control"),
        ({"not_ranked": {"z": "why"}}, "names no entry: z"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(how, message):
    arguments = {"labels": ["a", "b"], **how}
    with pytest.raises(ValueError, match=message):
        compare(np.ones((3, 2)), **arguments)
