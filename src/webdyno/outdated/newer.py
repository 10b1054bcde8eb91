"""Which of two releases is the newer one: by the rules of Python's packages (PEP 440), or by those
of semantic versions, which all others follow more or less."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from packaging.version import InvalidVersion, Version

SortKey = Callable[[str], Any]
"""What releases are sorted by; None of a text that is no release."""

_SEMANTIC = re.compile(
    r"v?(?P<numbers>\d+(?:\.\d+)*)"
    r"(?:[-.]?(?P<before>[a-z][\w.-]*|(?<=-)\d[\w.-]*))?(?:\+.*)?",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(p|pl|patch|post)[.-]?\d+", re.IGNORECASE)
"""Additions to a version that come after it, rather than announce it."""

_SAME = ("final", "release", "ga")
"""Additions that change nothing."""


def semantic(version: str) -> tuple[list[int], bool, list[tuple[bool, int, str]]] | None:
    """The order of npm, Composer, Cargo, Go, Hex and Maven."""
    match = _SEMANTIC.fullmatch(version)
    if match is None:
        return None
    numbers = [int(part) for part in match["numbers"].split(".")]
    while numbers and not numbers[-1]:  # 1.2 and 1.2.0 are the same.
        numbers.pop()
    added = match["before"] or ""
    if added.lower() in _SAME:
        added = ""
    parts = re.findall(r"\d+|[a-z]+", added.lower())
    ranks = [(not one.isdigit(), int(one) if one.isdigit() else 0, one) for one in parts]
    return numbers, not added or _AFTER.fullmatch(added) is not None, ranks


def of_python(version: str) -> Version | None:
    """The order of pip."""
    try:
        return Version(version)
    except InvalidVersion:
        return None


def newer(one: str, other: str, order: SortKey = semantic) -> bool:
    """Whether the release `one` comes after `other`; of what is none, such as a branch, whether
    they differ, since the client has told them apart."""
    a, b = order(one), order(other)
    return one != other if a is None or b is None else bool(a > b)


def newest_of_series(versions: Sequence[str], series: str, order: SortKey = semantic) -> str:
    """The newest of `versions` that belongs to `series`, final releases alone; empty where none
    does."""
    mine = [one for one in versions if not series or f"{one}.".startswith(f"{series}.")]
    return max(filter(_final(order), mine), key=order, default="")


def _final(order: SortKey) -> Callable[[str], bool]:
    def is_final(version: str) -> bool:
        at = order(version)
        if isinstance(at, Version):
            return not at.is_prerelease
        return at is not None and at[1]

    return is_final
