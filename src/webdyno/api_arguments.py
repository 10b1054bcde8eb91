"""What the functions of `webdyno.api` are given, looked at before use: errors in one line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from webdyno.errors import UserError


def name_of(what: str, given: Any, example: str) -> str:
    """A name, or the path of a file. Raises `UserError` for anything else."""
    if isinstance(given, os.PathLike):
        given = os.fspath(given)
    if not isinstance(given, str):
        raise UserError(f"{what}: {given!r:.80} is not a name; give text, such as '{example}'")
    return given


def names_of(what: str, given: Any, example: str) -> list[str] | None:
    """Names; None for those that were left out. Raises `UserError` for anything else, and where
    there are none."""
    if given is None:
        return None
    if isinstance(given, str):
        raise UserError(f"{what}: '{given}' is one name; give a list, such as ['{given}']")
    if not isinstance(given, Iterable):
        raise UserError(f"{what}: {given!r:.80} is not a list; give names, such as ['{example}']")
    found = [name_of(what, one, example) for one in given]
    if not found:
        raise UserError(f"{what}: the list is empty; name at least one, such as ['{example}']")
    return found


def count_of(what: str, given: Any) -> int | None:
    """A whole number from 1 up; None for one that was left out. Raises `UserError`."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise UserError(f"{what}: {given!r:.80} is not a whole number above 0; give one, such as 5")
    return given
