"""Applications that are honest but for one or two methods."""

from __future__ import annotations

from typing import Any

WARM = 45


def cheat(base: type, **methods: Any) -> type:
    """An application that does something else in one or two methods."""
    return type("Cheat", (base,), methods)
