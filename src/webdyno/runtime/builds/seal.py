"""Whether a build is as it was made: cheap enough to look before every start."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def seal_of(folder: Path, without: tuple[str, ...] = ()) -> str:
    """A digest over the name, size, mode, inode and times of every file below `folder`.

    The kernel alone sets a file's time of change, so that contents cannot be exchanged unseen
    without setting the machine's clock. Files in `folder` itself whose names end with one of
    `without` are left out.
    """
    lines: list[str] = []
    queue = [""]
    while queue:
        below = queue.pop()
        with os.scandir(folder / below) as entries:
            for entry in entries:
                name = f"{below}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    queue.append(f"{name}/")
                elif below or not name.endswith(without):
                    seen = entry.stat(follow_symlinks=False)
                    lines.append(
                        f"{name}\0{seen.st_size} {seen.st_mode} {seen.st_ino} {seen.st_ctime_ns}"
                    )
    lines.sort()
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
