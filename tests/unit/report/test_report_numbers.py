"""Numbers as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webdyno.report.numbers import (
    MISSING,
    fine_percent,
    interval,
    percent,
    ratio,
    scale_for,
    size,
    with_interval,
)
from webdyno.words import duration, listed


def test_a_column_shares_its_unit_and_decimals() -> None:
    scale = scale_for("latency", [1_490.0, 4_370.0, 12_820.0])
    assert scale.unit == "ms"
    assert [scale.text(v) for v in (1_490.0, 4_370.0, 12_820.0)] == ["1.49", "4.37", "12.82"]


@pytest.mark.parametrize(
    ("kind", "values", "unit", "texts"),
    [
        ("latency", [82.0, 140.0], "µs", ["82.0", "140.0"]),
        ("latency", [0.4e6, 3.2e6], "s", ["0.40", "3.20"]),
        ("rate", [41_300.0, 11_150.0], "req/s", ["41,300", "11,150"]),
        ("rate", [1.25, 3.5], "req/s", ["1.25", "3.50"]),
        ("bytes", [8e6, 189e6], "MB", ["8.0", "189.0"]),
        ("bytes", [2.4e9, 7.1e9], "GB", ["2.40", "7.10"]),
    ],
)
def test_scales(kind: str, values: list[float], unit: str, texts: list[str]) -> None:
    scale = scale_for(kind, values)
    assert (scale.unit, [scale.text(v) for v in values]) == (unit, texts)


def test_what_is_not_known_is_a_dash() -> None:
    scale = scale_for("rate", [None, float("nan")])
    assert scale.text(None) == scale.text(float("nan")) == scale.with_unit(None) == MISSING
    assert duration(None) == size(None) == percent(None) == ratio(float("inf")) == MISSING


def test_a_ratio_that_no_data_bounds_has_no_interval() -> None:
    assert with_interval(14.8, 0.0, float("inf")) == "14.8x"
    assert with_interval(14.8, 4.1, float("inf")) == "14.8x [4.10, ∞]"
    assert with_interval(14.8, 0.0, 44.0) == "14.8x [0.00, 44.0]"


@settings(deadline=None)
@given(st.lists(st.floats(1e-3, 1e12), min_size=1, max_size=6))
def test_every_text_of_a_column_has_as_many_decimals(values: list[float]) -> None:
    scale = scale_for("latency", values)
    decimals = {len(scale.text(v).partition(".")[2]) for v in values}
    assert len(decimals) == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.04, "40 ms"),
        (0.9996, "1 s"),
        (2.9, "2.9 s"),
        (59.97, "1 min"),
        (252, "4 min 12 s"),
        (4800, "1 h 20 min"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_ratios_and_their_intervals() -> None:
    assert ratio(2.1) == "2.10x"
    assert ratio(12.34) == "12.3x"
    assert interval(1.9, 2.3) == "[1.90, 2.30]"
    assert interval(0.098, 29.25) == "[0.10, 29.2]"
    assert interval(0.0, float("inf")) == "[0.00, ∞]"


def test_a_small_ratio_keeps_two_digits_that_count() -> None:
    assert ratio(0.0313) == "0.031x"
    assert ratio(0.0046) == "0.0046x"
    assert interval(0.004642, 190.8) == "[0.0046, 191]"
    assert (ratio(0.0949), ratio(0.0951)) == ("0.095x", "0.10x")
    # Not nothing, however small.
    assert interval(3e-9, 0.5) == "[<0.0001, 0.50]"


def test_an_interval_that_leaves_out_one_does_not_look_as_if_it_held_it() -> None:
    assert interval(1.0004, 1.31) == "[1.0004, 1.31]"
    assert interval(0.9, 0.997) == "[0.90, 0.997]"
    assert interval(1.0012, 1.0039) == "[1.001, 1.004]"
    # One that holds it may show it as it is.
    assert interval(0.998, 1.0004) == "[1.00, 1.00]"
    assert interval(1.0, 1.0) == "[1.00, 1.00]"


def test_a_small_share_may_be_told_by_its_first_digit() -> None:
    shares = (0.0, 0.0000312, 0.0004, 0.0006, 0.021)
    assert list(map(fine_percent, shares)) == ["0%", "0.003%", "0.04%", "0.1%", "2.1%"]


def test_small_words() -> None:
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a"]) == "a"
    assert listed([]) == ""
    assert percent(0.03) == "3%"
    assert percent(0.0214) == "2.1%"
    assert percent(16.2079) == "1,621%"
    assert size(25_282_514_944) == "25.3 GB"
    assert size(812) == "812 B"
