"""A statement is held against the table it is about: it holds, contradicts, or stays untold."""

from __future__ import annotations

from typing import Any

import pytest

from unit.claims.test_checks import FINE, bad, found
from webdyno.claims import Finding


def statement_of(*rows: dict[str, Any], **statement: Any) -> Finding:
    said = {"says": "s", "table": "one", "of": "b", "to": "a", **statement}
    [one] = [one for one in found(*rows, statements=[said]) if one.check == "statement"]
    return one


def test_a_share_that_holds_does_not_look_as_if_it_did_not() -> None:
    rows = FINE, {"label": "b", "throughput": 1307.0}
    assert "is 30.7% more" in statement_of(*rows, more="30%").sentence
    assert "is 31% more" in statement_of(*rows, more="31%").sentence


@pytest.mark.parametrize(
    ("product", "gives", "told"),
    [
        (["24", "0.4"], "9.6", "24 × 0.4 = 9.6."),
        (["600", "86400", "0.4", "1.25"], "25M", "= 25,920,000."),
        (["4", "20"], "20", "4 × 20 = 80, not 20."),
        (["900M", "900M"], "20", "= 810,000,000,000,000,000, not 20."),
    ],
)
def test_a_product_is_shown_to_its_last_digit(product: list[str], gives: str, told: str) -> None:
    whole = {"says": "s", "product": product, "gives": gives}
    [one] = [one for one in found(FINE, statements=[whole]) if one.check == "statement"]
    assert one.sentence.endswith(told)


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ({"more": "30%"}, "holds"),
        ({"more": "31%"}, "holds"),  # Cut off or rounded.
        ({"more": "38%"}, "contradicts"),
        ({"times": 1.3}, "holds"),
        ({"times": 3}, "contradicts"),
        ({"of": "a", "to": "b", "saves": "23%"}, "holds"),
        ({"of": "a", "to": "b", "saves": "70.0%"}, "contradicts"),
        ({"saves": "30%"}, "contradicts"),
        ({}, "holds"),
        ({"of": "a", "to": "b"}, "contradicts"),
        ({"metric": "memory"}, "untold"),
        ({"metric": "mean"}, "untold"),
    ],
)
def test_statements(statement: dict[str, Any], outcome: str) -> None:
    whole = {"says": "b beats a", "table": "one", "of": "b", "to": "a", **statement}
    findings = found(FINE, {"label": "b", "throughput": 1305.0}, statements=[whole])
    [one] = [one for one in findings if one.check == "statement"]
    assert one.outcome == outcome
    assert one.sentence.startswith("“b beats a”: ")


def test_a_difference_to_the_other_side_is_told_by_its_own_word() -> None:
    slower = {"label": "b", "throughput": 800.0}
    less = statement_of(FINE, slower, more="20%").sentence
    more = statement_of(FINE, {**slower, "throughput": 1305.0}, saves="30%").sentence
    assert less == "“s”: 800.0 against 1000 is 20% less."
    assert more == "“s”: 1305.0 against 1000 is 30% more."


@pytest.mark.parametrize(
    ("metric", "b", "a", "outcome", "sureness"),
    [
        ("throughput", "2k", "1k", "untold", "likely"),  # 1,500 both, perhaps.
        ("throughput", "2.1k", "1.1k", "holds", "likely"),
        ("throughput", "1k", "1k", "untold", "likely"),
        ("throughput", "1k", "3k", "contradicts", "certain"),
        ("cpu", "1.6", "1.7", "untold", "likely"),
        ("cpu", "1.60", "1.70", "holds", "likely"),
        ("cpu", "1.6", "1.6", "untold", "likely"),
        ("mean", "103ms", "106ms", "untold", "likely"),
        ("mean", "100ms", "150ms", "holds", "likely"),
        ("mean", "150ms", "100ms", "contradicts", "certain"),
    ],
)
def test_what_rounding_may_hide_is_not_told(
    metric: str, b: str, a: str, outcome: str, sureness: str
) -> None:
    key = {"cpu": "cpu_cores"}.get(metric, metric)
    statement = {"says": "b beats a", "table": "one", "of": "b", "to": "a", "metric": metric}
    # Nor does what the rates vary by say anything of other figures.
    rates = {} if metric == "throughput" else {"throughput": 1000, "throughput_sd": 900}
    rows = [{"label": label, **rates, key: text} for label, text in (("a", a), ("b", b))]
    findings = found(*rows, statements=[statement], rate_every="1s")
    [one] = [one for one in findings if one.check == "statement"]
    assert (one.outcome, one.sureness) == (outcome, sureness)


def test_a_statement_of_numbers_alone() -> None:
    right = {"says": "r", "product": [600, "86400", 0.5], "gives": "25M"}
    assert bad(found(FINE, statements=[right])) == []
    assert bad(found(FINE, statements=[{**right, "gives": "50M"}])) == [("statement", "certain")]


@pytest.mark.parametrize("outcome", ["holds", "untold", "contradicts"])
def test_a_statement_is_judged_by_what_its_own_text_shows(outcome: str) -> None:
    statement = {"says": "s", "shown": "it has 81 lines", "outcome": outcome, "note": "or 78"}
    [one] = [one for one in found(FINE, statements=[statement]) if one.check == "statement"]
    assert (one.outcome, one.sureness) == (outcome, "certain")
    assert one.sentence == "“s”: it has 81 lines (or 78)."


def test_what_readers_should_know_of_a_statement_is_told() -> None:
    one = statement_of(FINE, {"label": "b"}, note="of another case")
    assert one.sentence == "“s”: the write-up prints no figure for b (of another case)."


def test_a_figure_that_is_not_printed_is_told_from_one_of_zero() -> None:
    neither = statement_of({"label": "a"}, {"label": "b"})
    assert neither.sentence == "“s”: the write-up prints no figure for b, and none for a."
    zero = statement_of(FINE, {"label": "b", "throughput": 0})
    assert zero.sentence == "“s”: the figure for b is zero."


def test_a_statement_about_rows_that_cannot_be_compared_is_undecided() -> None:
    kept_up = {"label": "a", "throughput": 40, "samples": 400}
    late = {"label": "b", "throughput": 80, "samples": 800, "timeouts": 500}
    one = statement_of(kept_up, late, times=2)
    assert (one.outcome, one.sureness) == ("untold", "certain")
    assert one.sentence == (
        "“s”: 80 against 40 is a ratio of 2, but requests to b timed out, which shows overload, "
        "not what the work costs."
    )
    # Figures that say otherwise still do.
    assert statement_of(kept_up, late, times=9).outcome == "contradicts"
    on_it = {"label": "b", "throughput": 1500, "runs_on": "a"}
    one = statement_of(FINE, on_it)
    assert (one.outcome, one.sureness) == ("untold", "likely")
    assert "b cannot do the same work and be faster than what it contains" in one.sentence


def test_a_pace_that_the_load_set_leaves_only_latencies_to_compare() -> None:
    one = {"label": "a", "throughput": 640, "mean": "50ms"}
    two = {"label": "b", "throughput": 642, "mean": "110ms"}
    assert statement_of(one, two, times="1.00").outcome == "untold"
    assert "the load set the pace" in statement_of(one, two, times="1.00").sentence
    assert statement_of(one, two, metric="mean", times=2).outcome == "holds"


def test_a_sized_difference_that_could_be_chance_is_undecided() -> None:
    slow, fast = {"label": "a", "throughput": 1000}, {"label": "b", "throughput": 1030}
    one = statement_of(slow, fast, more="3%")
    assert (one.outcome, one.sureness) == ("untold", "likely")
    assert one.sentence.endswith("but so small a difference could be chance.")
    assert statement_of(slow, fast, times="1.0").outcome == "holds"
    assert statement_of(slow, {**fast, "throughput": 1300}, more="30%").outcome == "holds"
