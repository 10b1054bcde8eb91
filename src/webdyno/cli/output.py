"""Files that a command was asked to write: looked at before the work, written after it."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from webdyno.errors import UserError


def check_writable(path: Path | None) -> None:
    """Refuse now what would fail only after minutes of measuring. Raises `UserError`."""
    if path is None:
        return
    if path.is_dir():
        raise UserError(f"{path} is a folder; name a file")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise UserError(f"{path}: its folder does not exist; create it first")
    try:
        _try_to_write(path)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written ({error.strerror}); name another file"
        ) from None


def _try_to_write(path: Path) -> None:
    """Whether `path` may be written, which is left as it was. Raises `OSError` where not."""
    if path.exists():
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "permission denied")
        return
    with tempfile.TemporaryFile(dir=path.absolute().parent):
        pass


def write(path: Path, text: str) -> None:
    """Write `text` to `path`. Raises `UserError` where that cannot be."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from None
