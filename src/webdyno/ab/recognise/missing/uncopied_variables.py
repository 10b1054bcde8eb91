"""Variables that a service reads from a file which is not committed, and which no build has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from webdyno.ab.recognise.recognised import MOST_NAMED
from webdyno.ab.recognise.settings.variables import ENV_FILES, SAMPLES, named_in
from webdyno.report.numbers import first_of, it_or_them


def uncopied_variables(folder: Path, files: Sequence[str] | None, known: Collection[str]) -> str:
    """Which variables a file in `folder` sets that are neither in the copy, which has only `files`,
    nor `known`, as the end of a sentence; else which its sample names, as where there is no such
    file on a build server. Empty where there is none. Their values are not told.
    """
    if files is None or any(name in files for name in ENV_FILES):
        return ""
    for name in ENV_FILES:
        if unset := [one for one in named_in(folder / name) if one not in known]:
            return (
                f"; {name} is not in the copy that is built: if the service needs "
                f"{first_of(unset, MOST_NAMED)}, set {it_or_them(unset)} in `env` (--env)"
            )
    for name in SAMPLES:
        if unset := [one for one in named_in(folder / name) if one not in known]:
            return (
                f"; {name} names {first_of(unset, MOST_NAMED)}: set in `env` (--env) what the "
                "service needs of that"
            )
    return ""
