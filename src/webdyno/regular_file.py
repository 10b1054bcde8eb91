"""Files that a user names: read whole, unless they are none, or have no end."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from webdyno.errors import UserError


def text_of(path: Path, most_bytes: int, kind: str) -> str:
    """The UTF-8 text of `path`, which may be a link, but no device and no pipe: these need not end.

    `kind` is what should have been named, such as `.toml`. Raises `UserError`; `UnicodeDecodeError`
    where it is no text.
    """
    try:
        # Without waiting: a pipe that nobody writes to would be opened never.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UserError(f"{path}: not a file; name a {kind} file")
            data = file.read(most_bytes + 1)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise UserError(f"{path}: not a file; name a {kind} file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"{path}: cannot be read: {reason}") from None
    if len(data) > most_bytes:
        raise UserError(f"{path}: larger than {most_bytes // 1000:,} kB; no {kind} file of ours is")
    return data.decode("utf-8")
