"""Files that a build shares with a package manager's store, as those of uv, pnpm and Bun.

These put a hard link to their store's file into each build. The next build of any program links to
the same file, which changes its time of change and so the seal of every build that has it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections import defaultdict
from pathlib import Path


def part_from_stores(folder: Path) -> None:
    """Give `folder` a copy of its own of each file that has a hard link outside it. Files that are
    linked within it alone stay one file."""
    for paths in _linked(folder).values():
        if paths[0].stat().st_nlink > len(paths):
            # Where the folder is closed to us or full, the file stays what it is.
            with contextlib.suppress(OSError):
                _part(paths)


def _linked(folder: Path) -> dict[tuple[int, int], list[Path]]:
    """The files below `folder` that have several names, by device and inode."""
    found: dict[tuple[int, int], list[Path]] = defaultdict(list)
    for root, _, names in os.walk(folder):
        for name in names:
            path = Path(root, name)
            seen = path.lstat()
            if seen.st_nlink > 1 and stat.S_ISREG(seen.st_mode):
                found[seen.st_dev, seen.st_ino].append(path)
    return found


def _part(paths: list[Path]) -> None:
    """One copy for all of `paths`, with the same times: Python compiles anew what has others."""
    first, *others = paths
    made = first.with_name(".webdyno-parted")
    try:
        shutil.copy2(first, made)
        made.replace(first)
        for path in others:
            made = path.with_name(".webdyno-parted")
            made.hardlink_to(first)
            made.replace(path)
    finally:
        made.unlink(missing_ok=True)
