"""What the functions of `webdyno.api` are given, looked at before use: errors in one line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from webdyno.errors import UserError


def name_of(argument: str, value: Any, example: str) -> str:
    """A name, or the path of a file. Raises `UserError` for anything else."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise UserError(f"{argument}: {value!r:.80} is not a name; give text, such as '{example}'")
    return value


def names_of(argument: str, value: Any, example: str) -> list[str] | None:
    """Names; None for those that were left out. Raises `UserError` for anything else, and where
    there are none."""
    if value is None:
        return None
    if isinstance(value, str):
        raise UserError(f"{argument}: '{value}' is one name; give a list, such as ['{value}']")
    if not isinstance(value, Iterable):
        raise UserError(
            f"{argument}: {value!r:.80} is not a list; give names, such as ['{example}']"
        )
    found = [name_of(argument, one, example) for one in value]
    if not found:
        raise UserError(f"{argument}: the list is empty; name at least one, such as ['{example}']")
    return found


def count_of(argument: str, value: Any) -> int | None:
    """A whole number from 1 up; None for one that was left out. Raises `UserError`."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UserError(
            f"{argument}: {value!r:.80} is not a whole number above 0; give one, such as 5"
        )
    return value
