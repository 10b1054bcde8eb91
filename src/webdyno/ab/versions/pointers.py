"""Files that Git LFS keeps elsewhere, and of which a tree has pointers alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from webdyno.ab.recognise.recognised import text_of

_POINTER = "version https://git-lfs.github.com/spec/v1\n"
_MOST_BYTES = 1024
"""A pointer is shorter, by its specification."""


def pointers_in(tree: Path, folder: Path) -> list[str]:
    """The files in `folder`, which lies in `tree`, that are pointers; as seen from `tree`."""
    # Most trees keep nothing there: their files need not be read.
    kept = any("filter=lfs" in text_of(path) for path in _attributes(tree, folder))
    return sorted(_pointers(tree, folder)) if kept else []


def _attributes(tree: Path, folder: Path) -> Iterator[Path]:
    """Git's files of attributes that hold for files in the folder."""
    above = (one for one in folder.parents if one.is_relative_to(tree))
    for one in chain(above, _folders(folder)):
        if (path := one / ".gitattributes").is_file():
            yield path


def _folders(folder: Path) -> Iterator[Path]:
    for root, below, _ in os.walk(folder):
        # Packages and builds are no part of what is committed, and large.
        below[:] = [one for one in below if one[0] != "." and one not in _LEFT_OUT]
        yield Path(root)


_LEFT_OUT = frozenset({"build", "node_modules", "target", "venv"})


def _pointers(tree: Path, folder: Path) -> Iterator[str]:
    for one in _folders(folder):
        for entry in os.scandir(one):
            if entry.is_file(follow_symlinks=False) and entry.stat().st_size < _MOST_BYTES:
                path = Path(entry.path)
                if text_of(path).startswith(_POINTER):
                    yield path.relative_to(tree).as_posix()
