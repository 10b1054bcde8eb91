"""What a verdict says in a sentence: exactly what its pairs hold."""

from __future__ import annotations

import math

from support.grouped_verdict import verdict
from webdyno.report.text import sentences
from webdyno.store.verdicts import NotRanked, VerdictRecord


def test_a_clear_winner_is_told_with_its_ratio() -> None:
    assert sentences.sentence(verdict([["a"], ["b"], ["c"]])) == (
        "a is faster than the next best, b, by 1.50x [1.47, 1.53]."
    )


def test_a_tie_behind_the_winner_is_told() -> None:
    assert sentences.sentence(verdict([["a"], ["b", "c"]])) == (
        "a is faster than the next best, b and c, by 1.50x [1.47, 1.53]; "
        "b and c are tied (within 3%)."
    )


def test_a_tie_for_the_first_place_is_no_win() -> None:
    text = sentences.sentence(verdict([["a", "b"], ["c"]]))
    assert text == (
        "a and b are tied (within 3%) and are faster than c by 1.50x [1.47, 1.53] or more."
    )


def test_what_is_not_separated_is_not_called_a_tie() -> None:
    text = sentences.sentence(verdict([["a", "b", "c"]], outcome="not separated"))
    assert text == "a, b and c could not be told apart."


def test_one_unproven_pair_is_enough_to_withhold_the_word_tie() -> None:
    held = verdict([["a", "b", "c"]])
    held.ratios[1] = held.ratios[1].model_copy(update={"outcome": "not separated"})
    assert "tied" not in sentences.sentence(held)


def test_a_chain_of_ties_is_told_as_one() -> None:
    held = verdict([["a", "b", "c"]], outcome="not separated")
    held.ratios[1] = held.ratios[1].model_copy(update={"outcome": "faster"})  # a against c
    assert sentences.sentence(held) == (
        "a and b could not be told apart; c could not be told apart from b."
    )


def chained() -> VerdictRecord:
    """b is told apart from neither a nor c, but c is slower than a; all beat d."""
    held = verdict([["a", "b", "c"], ["d"]], outcome="not separated")
    slower = {"outcome": "faster", "estimate": 4.5, "low": 3.7, "high": 5.5}
    held.ratios[1] = held.ratios[1].model_copy(update=slower)  # a against c
    near = {"estimate": 1.2, "low": 1.1, "high": 1.3}
    held.ratios[5] = held.ratios[5].model_copy(update=near)  # c against d
    return held


def test_who_is_slower_than_one_at_the_first_place_does_not_share_it() -> None:
    held = chained()
    assert sentences.short(held, "json") == "in json, a and b lead and could not be told apart"
    tied = verdict([["a", "b"], ["c"]])
    assert sentences.short(tied, "json") == "in json, a and b lead and are tied (within 3%)"
    assert sentences.sentence(held) == (
        "a and b could not be told apart; c could not be told apart from b;"
        " all are faster than d by 1.20x [1.10, 1.30] or more."
    )
    assert {entry: str(place) for entry, place in held.places().items()} == {
        "a": "1=", "b": "1=", "c": "2=", "d": "4",
    }  # fmt: skip
    assert {entry: str(place) for entry, place in held.places(["c", "d"]).items()} == {
        "c": "1", "d": "2",
    }  # fmt: skip
    assert held.places([]) == {}


def test_in_a_circle_nobody_leads() -> None:
    held = verdict([["a", "b", "c"]], outcome="faster")
    held.ratios[1] = held.ratios[1].model_copy(update={"outcome": "slower"})  # a against c
    assert held.leaders == ["a", "b", "c"]
    assert sentences.sentence(held) == "a, b and c could not all be told apart."


def test_the_lead_that_is_told_is_the_smallest() -> None:
    held = verdict([["a", "b"], ["c"]])
    held.ratios[1] = held.ratios[1].model_copy(update={"estimate": math.nan})  # a against c
    held.ratios[2] = held.ratios[2].model_copy(update={"estimate": 1.4, "low": 1.3, "high": 1.5})
    assert sentences.sentence(held).endswith("faster than c by 1.40x [1.30, 1.50] or more.")


def test_the_smallest_lead_is_no_surer_than_the_least_sure_of_those_it_may_be() -> None:
    held = verdict([["a"], ["b", "c"]], outcome="not separated")
    wide = {"estimate": 1.55, "low": 1.02, "high": 2.4}
    held.ratios[1] = held.ratios[1].model_copy(update=wide)  # a against c
    said = sentences.sentence(held)
    assert said.startswith("a is faster than the next best, b and c, by 1.50x [1.02, 1.53]; ")


def test_other_metrics_have_other_words() -> None:
    text = sentences.sentence(verdict([["a"], ["b"]], metric="p99_us"))
    assert text.startswith("a has a lower p99 latency than the next best, b, by 1.50x")
    text = sentences.sentence(verdict([["a", "b"], ["c"]], metric="memory_peak_bytes"))
    assert "and need less memory than c" in text


def test_who_is_left_out_is_not_repeated_under_a_verdict_that_said_so() -> None:
    said, held = verdict([["a"], ["b"]]), verdict([["a"], ["b"]])
    said.not_ranked = [NotRanked(entry="c", reason="its only trial failed")]
    held.not_ranked = [*said.not_ranked, NotRanked(entry="d", reason="its generator was busy")]
    assert "c is not ranked (its only trial failed)" in sentences.sentence(held)
    text = sentences.sentence(held, said)
    assert "its only trial failed" not in text
    assert text.endswith("; d is not ranked (its generator was busy).")
