"""Words put together into a sentence, and lengths of time in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

UNKNOWN = "\N{EN DASH}"
"""Stands where a length of time is not known."""


def listed(items: Iterable[str]) -> str:
    """Names in a sentence: `a`, `a and b`, `a, b and c`."""
    names = list(items)
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def duration(seconds: float | timedelta | None) -> str:
    """A length of time: `40 ms`, `2.9 s`, `4 min 12 s`, `1 h 20 min`."""
    if seconds is None:
        return UNKNOWN
    value = seconds.total_seconds() if isinstance(seconds, timedelta) else seconds
    if value < 0.9995:
        return f"{value * 1000:.0f} ms"
    if value < 59.95:
        return f"{value:.1f}".removesuffix(".0") + " s"
    whole = round(value)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
