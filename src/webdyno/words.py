"""Words put together into a sentence."""

from __future__ import annotations

from collections.abc import Iterable


def listed(items: Iterable[str]) -> str:
    """Names in a sentence: `a`, `a and b`, `a, b and c`."""
    names = list(items)
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
