"""Files that a user names: read whole, unless they are none, or have no end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from webdyno.errors import UserError


def text_of(path: Path, most_bytes: int, kind: str) -> str:
    """The UTF-8 text of `path`, as `bytes_of` reads it, without the mark (BOM) that some editors
    begin it with; `kind` is what should have been named, such as `.toml`. Raises `UserError`;
    `UnicodeDecodeError` where it is no text.
    """
    data = bytes_of(path, most_bytes, f"name a {kind} file", f"no {kind} file of ours is")
    return data.decode("utf-8-sig")


def bytes_of(path: Path, most_bytes: int, remedy: str, larger: str) -> bytes:
    """What `path` holds, which may be a link, but no device and no pipe: these need not end.

    Raises `UserError`, with the `remedy` where it is no file, and what to say of a `larger` one.
    """
    parts: list[bytes] = []
    left = most_bytes
    try:
        # Without waiting: a pipe that nobody writes to would be opened never.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UserError(f"{path}: not a file; {remedy}")
            while left >= 0 and (part := file.read(1 << 20)):
                parts.append(part)
                left -= len(part)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; correct its path") from None
    except (OSError, ValueError) as error:
        if isinstance(error, IsADirectoryError) or getattr(error, "errno", 0) == errno.ENXIO:
            raise UserError(f"{path}: not a file; {remedy}") from None  # ENXIO: of a socket.
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"{path}: cannot be read ({reason}); name a readable file") from None
    if left < 0:
        raise UserError(f"{path}: larger than {most_bytes // 1000:,} kB; {larger}")
    return b"".join(parts)
