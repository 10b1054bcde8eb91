"""Variables that a service reads from a file which git ignores, and which no build has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from webdyno.ab.recognise.recognised import MOST_NAMED
from webdyno.ab.recognise.variables import ENV_FILES, named_in
from webdyno.report.numbers import first_of, it_or_them


def left_behind(folder: Path, files: Sequence[str] | None, known: Collection[str]) -> str:
    """Which variables a file in `folder` sets that are neither in the copy, which has only `files`,
    nor `known`, as the end of a sentence; empty where there is none.

    Their values are not told.
    """
    for name in ENV_FILES:
        if files is None or name in files:
            continue
        if unset := [one for one in named_in(folder / name) if one not in known]:
            return (
                f"; git ignores {name}, so builds do not have it: if the service needs "
                f"{first_of(unset, MOST_NAMED)}, set {it_or_them(unset)} in `env` (--env)"
            )
    return ""
