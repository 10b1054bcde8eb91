"""Folders that servers write to: handed over, measured and removed, whatever lies in them.

A server may put anything there: links to anywhere, folders so deep that no path reaches their end,
or ones that not even their owner may enter. None of it leads Webdyno out of the folder.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import stat
import subprocess
from pathlib import Path


def hand_over(path: Path, user: str | None) -> None:
    """Give `path`, and all below it, to `user`; nothing where None. Nobody else has written there.

    From the deepest file upwards: what is the user's already holds nothing that is yet to be given,
    so nothing can be put in its place.
    """
    if user is None:
        return
    entry = pwd.getpwnam(user)
    for one in reversed([path, *(path.rglob("*") if path.is_dir() else ())]):
        os.chown(one, entry.pw_uid, entry.pw_gid, follow_symlinks=False)


def let_all_read(folder: Path) -> None:
    """Let every user read `folder` and all below it, whose mode may be that of a private copy."""
    for one in (folder, *folder.rglob("*")):
        if not one.is_symlink():
            mode = stat.S_IMODE(one.stat().st_mode)
            one.chmod(mode | (0o055 if one.is_dir() else 0o044))


def size_below(folder: Path) -> int:
    """Bytes of the regular files below `folder`, as far as paths reach; none where it is a link."""
    total = 0
    left = [] if folder.is_symlink() else [str(folder)]
    while left:
        with contextlib.suppress(OSError), os.scandir(left.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        left.append(entry.path)
                    elif entry.is_file(follow_symlinks=False):
                        total += entry.stat(follow_symlinks=False).st_size
    return total


def remove(folder: Path) -> None:
    """Remove `folder` and all below it, as far as its modes can be changed; links are not followed.

    Nothing runs any more that writes there.
    """
    # Python's own way is the quickest, but takes a frame and a descriptor for each level.
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.is_dir() and not folder.is_symlink():
        for tool in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*tool, "--", folder], stderr=subprocess.DEVNULL, check=False)
