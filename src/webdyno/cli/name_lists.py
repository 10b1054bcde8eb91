"""Options that list names, separated by commas."""

from __future__ import annotations

from webdyno.errors import UserError


def names(text: str, option: str) -> list[str]:
    """What `text` lists, separated by commas. Raises `UserError` where that is nothing."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise UserError(f"{option} is empty; name at least one, separated by commas")
    return found
