"""Quantities as people write them: `500ms`, `2m`, `150/s:60s`, `16kB`, `25M/day`.

Every parser takes text (or, where noted, a bare number) and raises `UserError` with one line that
quotes the text and shows a right one.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

from webdyno.errors import UserError

_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {"": 1, "B": 1, "kB": 1000, "MB": 1000**2, "GB": 1000**3}
_BYTES |= {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
_NUMBER = r"([0-9]+(?:\.[0-9]+)?)"
_DURATION_PART = re.compile(rf"{_NUMBER}\s*(us|ms|s|min|m|h|d)")
_RATE = re.compile(rf"{_NUMBER}\s*(k|M)?(?:\s*/\s*(s|min|m|h))?")
_OBJECTIVE = re.compile(rf"p{_NUMBER}\s*(?:<=?|≤)\s*(\S.*)")
_AT_MOST = re.compile(rf"(?:<=?|≤)?\s*{_NUMBER}\s*%")
_SHARE = re.compile(rf"{_NUMBER}\s*(%)?")
_SIZE = re.compile(rf"{_NUMBER}\s*([A-Za-z]*)")


@dataclass(frozen=True)
class Phase:
    """A stretch of an open load: so many requests per second, ramped linearly to `to_rps` where
    given."""

    rps: float
    to_rps: float | None
    duration_s: float

    @property
    def last_rps(self) -> float:
        """The rate at its end."""
        return self.rps if self.to_rps is None else self.to_rps

    @property
    def most_rps(self) -> float:
        """Its highest rate."""
        return max(self.rps, self.last_rps)

    @property
    def requests(self) -> float:
        """How many are sent in it."""
        return (self.rps + self.last_rps) / 2 * self.duration_s


LONGEST_S = 366 * 86400.0
"""No duration is longer: clocks and counters hold it, and nobody waits for it."""
MOST_RPS = 1e9
"""Requests per second; no rate is higher."""
MOST_SIZE = 2**60
"""Bytes; no size is larger."""


def duration(text: str | float) -> float:
    """Seconds of `500ms`, `10s`, `1m30s`, `2h`; a bare number means seconds.

    Raises `UserError`, also above a year.
    """
    if isinstance(text, bool) or not isinstance(text, (int, float, str)):
        raise UserError(f"{text!r:.80} is not a duration; write it like 500ms, 10s, 1m30s or 2h")
    if isinstance(text, (int, float)):
        value = float(text) if -1 < text < 2 * LONGEST_S else float("inf")
    else:
        squeezed = text.strip()
        if re.fullmatch(_NUMBER, squeezed):
            value = float(squeezed)
        else:
            parts = _DURATION_PART.findall(squeezed)
            rest = _DURATION_PART.sub("", squeezed).strip()
            if not parts or rest:
                raise UserError(
                    f"'{text}' is not a duration; write it like 500ms, 10s, 1m30s or 2h"
                )
            value = sum(float(number) * _SECONDS[unit] for number, unit in parts)
    if not 0 < value <= LONGEST_S:
        raise UserError(f"'{text!s:.80}' is not a duration; it must be above 0 and at most a year")
    return value


LEAST_START_S, MOST_START_S = 1.0, 3600.0
"""How long a start may be given, at least and at most."""


def start_timeout(text: str | float) -> float:
    """Seconds that a start may take: a duration. Raises `UserError`, also for one that is too
    short or too long for it."""
    seconds = duration(text)
    if not LEAST_START_S <= seconds <= MOST_START_S:
        raise UserError(f"'{text}' is no time for a start; write one from 1s to 1h")
    return seconds


LEAST_BARE_BUDGET_S = 60.0
"""A budget below it needs a unit: `3` is more likely to stand for minutes or hours."""


def budget(text: str | float) -> float:
    """Seconds of a budget: a duration. Raises `UserError` also for a text such as `3`, which says
    no unit and is short enough to be meant in another one; a number is seconds."""
    seconds = duration(text)
    bare = text.strip() if isinstance(text, str) else ""
    if seconds < LEAST_BARE_BUDGET_S and re.fullmatch(_NUMBER, bare):
        raise UserError(f"'{bare}' has no unit; write {bare}m for minutes or {bare}s for seconds")
    return seconds


def rate(text: str | float) -> float:
    """Requests per second of `150`, `150/s`, `2k/s`, `600/min`. Raises `UserError`."""
    match = _RATE.fullmatch(str(text).strip())
    if match is None:
        raise UserError(f"'{text}' is not a rate; write it like 150/s, 2k/s or 600/min")
    number, scale, per = match.groups()
    factor = {"k": 1e3, "M": 1e6}.get(scale or "", 1.0)
    value = float(number) * factor / _SECONDS[per or "s"]
    if value > MOST_RPS:
        raise UserError(f"'{text!s:.80}' is not a rate; it must be at most {MOST_RPS:.0g}/s")
    return value


def phase(text: str) -> Phase:
    """A phase: `150/s:60s` (constant) or `100/s..400/s:30s` (a linear ramp). Raises
    `UserError`."""
    rates, colon, length = text.strip().rpartition(":")
    if not colon:
        raise UserError(f"'{text}' is not a phase; write it like 150/s:60s or 100/s..400/s:30s")
    first, dots, last = rates.partition("..")
    start, end = rate(first), rate(last) if dots else None
    if start <= 0 and not end:
        raise UserError(f"'{text}' is not a phase; its rate must be above 0/s")
    return Phase(start, end, duration(length))


def phase_text(phase: Phase) -> str:
    """A phase as `phase` reads it, its figures to four digits."""
    ramp = "" if phase.to_rps is None else f"..{_plain(phase.to_rps)}/s"
    return f"{_plain(phase.rps)}/s{ramp}:{_plain(phase.duration_s)}s"


def _plain(value: float) -> str:
    """Without an exponent, which no parser here takes."""
    return f"{float(f'{value:.4g}'):f}".rstrip("0").rstrip(".")


def size(text: str | int) -> int:
    """Bytes of `8GB`, `16kB`, `512MiB`; a bare number means bytes. Raises `UserError`."""
    match = _SIZE.fullmatch(str(text).strip())
    if match is None or match.group(2) not in _BYTES:
        raise UserError(f"'{text}' is not a size; write it like 16kB, 512MiB or 8GB")
    value = float(match.group(1)) * _BYTES[match.group(2)]
    if value > MOST_SIZE:
        raise UserError(f"'{text!s:.80}' is more than any machine has; write less")
    return int(value)


class LatencyObjective(NamedTuple):
    """What `p99 < 100ms` asks for: the share of the requests (0.99) that takes less than the limit,
    and the limit."""

    share: float
    limit_s: float


def objective(text: str) -> LatencyObjective:
    """Read an objective such as `p99 < 100ms`. Raises `UserError`."""
    match = _OBJECTIVE.fullmatch(text.strip())
    digits = match.group(1) if match else "0"
    # p999 is what many call p99.9.
    share = float(f"0.{digits}") if re.fullmatch("99+", digits) else float(digits) / 100
    if match is None or not 0 < share < 1:
        raise UserError(f"'{text}' is not an objective; write it like p99 < 100ms or p99.9 < 1s")
    return LatencyObjective(share, duration(match.group(2)))


def share(text: str, least: float = 0.0, most: float = 1.0) -> float:
    """The share of `5%` or `0.05`: 0.05, which is from `least` to `most`. Raises `UserError`."""
    match = _SHARE.fullmatch(text.strip())
    found = float(match[1]) / (100 if match[2] else 1) if match else math.nan
    if not least <= found <= most:
        raise UserError(
            f"'{text!s:.80}' is not a share from {least * 100:g}% to {most * 100:g}%; "
            "write it like 5% or 0.05"
        )
    return found


def share_at_most(text: str) -> float:
    """The share of `< 0.1%`: 0.001. Raises `UserError`."""
    match = _AT_MOST.fullmatch(text.strip())
    if match is None or not float(match.group(1)) < 100:
        raise UserError(f"'{text}' is not a share of the requests; write it like < 0.1%")
    return float(match.group(1)) / 100


_PRICE = re.compile(rf"{_NUMBER}\s*/\s*(h|hour|month)")
_MOST_MONEY = 1e9
HOURS_A_MONTH = 730.0
"""A year's 8760 hours over 12, as clouds bill a month."""


def price(text: str) -> float:
    """Money an hour of `0.10/h` or `73/month`; which money it is, the reader knows. Raises
    `UserError`."""
    match = _PRICE.fullmatch(text.strip())
    if match is None:
        raise UserError(f"'{text}' is not a price; write it like 0.10/h or 73/month")
    if not 0 < (money := float(match[1])) <= _MOST_MONEY:
        raise UserError(
            f"'{text!s:.80}' is not a price to compare by; it must be above 0 and at most a billion"
        )
    return money / (HOURS_A_MONTH if match[2] == "month" else 1.0)


_VIEWS = re.compile(rf"{_NUMBER}\s*([kMG]?)\s*/\s*(?:day|d)")
_SCALE = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}


def daily_views(text: str) -> float:
    """Page views a day of `25M/day`, `800k/day`, `1500000/day`. Raises `UserError`."""
    match = _VIEWS.fullmatch(text.strip())
    views = float(match[1]) * _SCALE[match[2]] if match else 0.0
    if not 0 < views <= MOST_RPS * _SECONDS["d"]:
        raise UserError(f"'{text!s:.80}' is not a number of page views; write it like 25M/day")
    return views
