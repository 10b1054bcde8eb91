"""The services in the folders below one that has no manifest of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from webdyno.ab.recognise.recognised import RecognisedService

_LEVELS = 2
_MOST_LOOKED_AT = 500
_LEFT_OUT = frozenset({"docs", "node_modules", "test", "tests", "vendor", "venv"})


def services_below(folder: Path, ask: Callable[[Path], RecognisedService | None]) -> list[str]:
    """The folders at most two levels down of which `ask` knows how they are started, before those
    of which it knows a manifest alone; as seen from `folder`."""
    folders: list[tuple[bool, str]] = []
    for number, one in enumerate(folders_below(folder, _LEVELS)):
        if number == _MOST_LOOKED_AT:
            break
        if (known := ask(one)) is not None:
            folders.append((not known.run, one.relative_to(folder).as_posix()))
    return [name for _, name in sorted(folders)]


def folders_below(folder: Path, levels: int) -> Iterator[Path]:
    """The folders at most so many levels down, less those that hold no service."""
    try:
        below = sorted(one for one in folder.iterdir() if one.is_dir() and not one.is_symlink())
    except OSError:
        return
    for one in below:
        if one.name.startswith(".") or one.name in _LEFT_OUT:
            continue
        yield one
        if levels > 1:
            yield from folders_below(one, levels - 1)
