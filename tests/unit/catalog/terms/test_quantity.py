"""Quantities as people write them."""

from collections.abc import Callable
from typing import Any

import pytest

from webdyno.catalog.terms import quantity
from webdyno.catalog.terms.cpus import parse_cpus
from webdyno.catalog.terms.request_line import parse_line
from webdyno.errors import UserError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("500ms", 0.5), ("10s", 10), ("2m", 120), ("1m30s", 90), ("2h", 7200), ("3", 3), (1.5, 1.5)],
)
def test_durations(text: str | float, seconds: float) -> None:
    assert quantity.duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "soon", "10 parsecs", "0s", "-1s", "1m x", "s"])
def test_what_is_no_duration_is_quoted_back(text: str) -> None:
    with pytest.raises(UserError, match=r"is not a duration; "):
        quantity.duration(text)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (quantity.duration, "٣s"),
        (quantity.duration, "٣"),
        (quantity.rate, "١٥٠/s"),
        (quantity.size, "８GB"),
        (quantity.objective, "p٩٩ < 1s"),
        (quantity.share_at_most, "< ١%"),
        (quantity.price, "٣/h"),
        (quantity.daily_views, "٣M/day"),
        (parse_cpus, "٠-٣"),
        (parse_line, "٣ GET /a"),
    ],
)
def test_numbers_are_written_in_digits_from_0_to_9(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises(UserError):
        read(text)


@pytest.mark.parametrize(
    ("text", "per_second"), [("150/s", 150), ("2k/s", 2000), ("600/min", 10), ("40", 40)]
)
def test_rates(text: str, per_second: float) -> None:
    assert quantity.rate(text) == pytest.approx(per_second)


def test_phases() -> None:
    assert quantity.phase("150/s:60s") == quantity.Phase(150, None, 60)
    assert quantity.phase("100/s..400/s:30s") == quantity.Phase(100, 400, 30)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (quantity.Phase(22_804.2, None, 1), "22800/s:1s"),
        (quantity.Phase(0.5, 4_000_000, 36_000), "0.5/s..4000000/s:36000s"),
        (quantity.Phase(50, 200, 5.25), "50/s..200/s:5.25s"),
    ],
)
def test_phases_are_written_as_they_are_read(made: quantity.Phase, text: str) -> None:
    assert quantity.phase_text(made) == text
    assert quantity.phase(text).rps == pytest.approx(made.rps, rel=1e-3)


@pytest.mark.parametrize("text", ["150/s", "fast:60s", "150/s:", ":60s", "0/s:1s", "1/s..:3s"])
def test_what_is_no_phase_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        quantity.phase(text)


@pytest.mark.parametrize(
    ("text", "size"), [("16kB", 16_000), ("512MiB", 512 * 1024**2), ("8GB", 8 * 10**9), (7, 7)]
)
def test_sizes(text: str | int, size: int) -> None:
    assert quantity.size(text) == size


def test_an_unknown_unit_of_size_is_refused() -> None:
    with pytest.raises(UserError, match="write it like 16kB"):
        quantity.size("3 apples")


@pytest.mark.parametrize(
    ("text", "share", "seconds"),
    [
        ("p99 < 100ms", 0.99, 0.1),
        ("p99.9<1s", 0.999, 1),
        ("p999<1s", 0.999, 1),
        ("p50 <= 2 ms", 0.5, 0.002),
    ],
)
def test_objectives(text: str, share: float, seconds: float) -> None:
    assert quantity.objective(text) == (pytest.approx(share), pytest.approx(seconds))


@pytest.mark.parametrize("text", ["", "p99", "100ms", "p100 < 1s", "p99 > 1s", "p99 < x"])
def test_what_is_no_objective_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"is not an? (objective|duration)"):
        quantity.objective(text)


def test_shares() -> None:
    assert quantity.share_at_most("< 0.1%") == pytest.approx(0.001)
    assert quantity.share_at_most("0%") == 0
    with pytest.raises(UserError, match="write it like <"):
        quantity.share_at_most("few")


@pytest.mark.parametrize(
    ("text", "share"), [("5%", 0.05), ("0.05", 0.05), (" 0.5 % ", 0.005), ("100%", 1)]
)
def test_a_share_is_a_percentage_or_a_fraction(text: str, share: float) -> None:
    assert quantity.share(text) == pytest.approx(share)


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e9", "5", "-1%", "5%%", "101%", "few"])
def test_what_is_no_share_is_quoted_back_with_the_bounds(text: str) -> None:
    with pytest.raises(UserError, match=r"is not a share from 1% to 50%; write it like 5% or"):
        quantity.share(text, 0.01, 0.5)


@pytest.mark.parametrize(("given", "seconds"), [("3s", 3), ("2m", 120), ("300", 300), (3, 3)])
def test_budgets(given: str | float, seconds: float) -> None:
    assert quantity.budget(given) == seconds


@pytest.mark.parametrize("text", ["3", " 45 ", "59.9"])
def test_a_small_budget_needs_a_unit(text: str) -> None:
    bare = text.strip()
    with pytest.raises(UserError, match=f"^'{bare}' has no unit; write {bare}m for minutes or"):
        quantity.budget(text)
