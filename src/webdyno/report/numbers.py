"""Numbers as text: one unit and one number of decimals a column, so that decimals line up."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.words import UNKNOWN, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MISSING = UNKNOWN
"""Stands where a figure is not known."""


@dataclass(frozen=True)
class Scale:
    """How the values of one column are shown: value / divisor, with `decimals`, in `unit`."""

    unit: str
    divisor: float = 1.0
    decimals: int = 0

    def text(self, value: float | None) -> str:
        """The number without its unit; a dash where there is none."""
        if value is None or not math.isfinite(value):
            return MISSING
        return f"{value / self.divisor:,.{self.decimals}f}"

    def with_unit(self, value: float | None) -> str:
        """The number and its unit."""
        text = self.text(value)
        return text if text == MISSING else f"{text} {self.unit}".strip()


_STEPS: dict[str, list[tuple[str, float]]] = {
    "rate": [("req/s", 1.0)],
    "latency": [("µs", 1.0), ("ms", 1e3), ("s", 1e6)],
    "bytes": [("kB", 1e3), ("MB", 1e6), ("GB", 1e9)],
    "count": [("", 1.0)],
    "share": [("%", 0.01)],
}


def scale_for(kind: str, values: Iterable[float | None]) -> Scale:
    """Choose the unit and decimals of a column of `kind` (rate, latency, bytes, count, share).

    The unit is the largest in which the smallest value is still at least 1 (0.1 for the next one
    up, if the largest would otherwise need five digits); the decimals give the smallest value
    about three significant digits.
    """
    known = [abs(v) for v in values if v is not None and math.isfinite(v) and v != 0]
    steps = _STEPS[kind]
    if not known:
        return Scale(*steps[0])
    low, high = min(known), max(known)
    unit, divisor = steps[0]
    for name, size in steps[1:]:
        if low >= size or (low >= size / 10 and high >= size):
            unit, divisor = name, size
    return Scale(unit, divisor, _decimals(low / divisor, high / divisor))


def _decimals(low: float, high: float) -> int:
    wanted = 2 - math.floor(math.log10(low)) if low > 0 else 0
    # A column with four digits before the point is not read more exactly for those behind it.
    room = max(0, 4 - len(str(int(high))))
    return max(0, min(wanted, 2, room))


LEAST_RATIO = 1e-4
"""A smaller ratio is shown as below this one: more zeros would be counted, not read."""


def ratio(value: float) -> str:
    """A ratio: `1.04x`, `12.3x`, `140x`, `0.0046x`."""
    return f"{_factor(value)}x" if math.isfinite(value) else MISSING


def interval(low: float, high: float) -> str:
    """The interval of a ratio: `[1.90, 2.31]`; an end that the data does not bound is `∞`. Where
    both ends lie on one side of 1, neither looks as if it were 1: `[1.004, 1.31]`."""
    apart = low > 1 or high < 1
    ends = (_factor(end, apart) if math.isfinite(end) else "∞" for end in (low, high))
    return f"[{', '.join(ends)}]"


def with_interval(estimate: float, low: float, high: float) -> str:
    """A ratio and its interval; the ratio alone where the data bounds neither end, as after one or
    two blocks."""
    text = ratio(estimate)
    return f"{text} {interval(low, high)}" if low > 0 or math.isfinite(high) else text


def _factor(value: float, apart: bool = False) -> str:
    """At least two digits that count; where it is `apart` from 1, as many as it takes to see it."""
    if 0 < value < LEAST_RATIO:
        return f"<{LEAST_RATIO:.4f}"
    decimals = 2 if value < 10 else 1 if value < 100 else 0
    if 0 < value < 0.095:
        decimals = 1 - math.floor(math.log10(value))
    while apart and decimals < 6 and float(f"{value:.{decimals}f}") == 1:
        decimals += 1
    return f"{value:.{decimals}f}"


def percent(share: float | None) -> str:
    """A share as a percentage with at most one decimal: `3%`, `2.1%`, `140%`."""
    if share is None or not math.isfinite(share):
        return MISSING
    if share >= 1:
        return f"{share * 100:,.0f}%"
    text = f"{share * 100:.1f}"
    return f"{text.removesuffix('.0')}%"


def fine_percent(share: float) -> str:
    """As `percent`, of a share that may be very small: what is not nothing is not called 0%, but
    has its first digit: `0.04%`."""
    text = percent(share)
    small = text == "0%" and share > 0
    return f"{100 * share:.{-math.floor(math.log10(100 * share))}f}%" if small else text


def percent_of(count: int, of: int) -> str:
    """As `percent`; more than none is never called 0%, nor less than all 100%."""
    text = percent(count / max(of, 1))
    if text == "0%" and count:
        return "below 0.1%"
    return "above 99.9%" if text == "100%" and count < of else text


def bare_percent(share: float) -> str:
    """A share in percent without its unit, such as `4.6` or `1,250`; `∞` where it has no end."""
    if not math.isfinite(share):
        return "∞"
    return f"{100 * share:.1f}" if abs(share) < 1 else f"{100 * share:,.0f}"


def signed_percent(share: float) -> str:
    """The same with its sign, such as `+4.6` or `−1.0`, which 0.0 has not."""
    text = bare_percent(abs(share))
    return text if text == "0.0" else ("+" if share > 0 else "−") + text


def percent_end(end: float, other: float) -> str:
    """An end of an interval in percent. Where both lie on one side of none, it does not look as if
    it were none: `0.04`, not `0.0`."""
    text = bare_percent(end)
    if float(f"{100 * end:.1f}") or end * other <= 0:
        return text
    return f"{100 * end:.{min(6, -math.floor(math.log10(abs(100 * end))))}f}"


def signed_interval(low: float, high: float) -> str:
    """The interval of a difference in percent, such as `[+3.1, +6.2]` or `[−6.2, −0.04]`."""
    if low * high <= 0:
        return f"[{signed_percent(low)}, {signed_percent(high)}]"
    sign = "+" if low > 0 else "−"
    ends = (abs(low), abs(high))
    return f"[{', '.join(sign + percent_end(end, sum(ends)) for end in ends)}]"


def size(count: float | None) -> str:
    """Bytes as text: `812 B`, `16.4 kB`, `25.3 GB`."""
    if count is None:
        return MISSING
    for unit in ("B", "kB", "MB", "GB"):
        if abs(count) < 1000:
            return f"{count:.0f} {unit}" if unit == "B" or count >= 100 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def first_of(names: Sequence[str], most: int) -> str:
    """The first `most` of them in a sentence, and how many more there are: `a, b and 3 more`."""
    more = len(names) - most
    return listed([*names[:most], f"{more} more"]) if more > 0 else listed(names)


def counted(count: int, noun: str) -> str:
    """`1 trial`, `3 trials`, `1,000 trials`."""
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"


def it_or_them(entries: Sequence[str]) -> str:
    """The pronoun for them."""
    return "it" if len(entries) == 1 else "them"


def is_or_are(entries: Sequence[str]) -> str:
    """The verb of a sentence about them."""
    return "is" if len(entries) == 1 else "are"


def four_digits(value: float) -> float:
    """As charts hold it: finer than a pixel, and a third of the page's size."""
    return float(f"{value:.4g}")


def median_of_known(values: Iterable[float | None]) -> float | None:
    """The median of those that are known; None where none is."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None
