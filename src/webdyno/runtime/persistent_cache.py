"""What takes long to make and can be made again, kept from one command to the next."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.private_folder import make_own


def kept(name: str, make: Callable[[], str]) -> str:
    """What was kept as `name`, which must tell all that it was made from; where nothing was, what
    `make` gives, which is kept if it can be written."""
    try:
        cache = Home.default().cache
        make_own(cache.parent)  # What is there is believed.
    except (OSError, UserError):
        return make()
    return kept_in(cache / name, make)


def kept_in(file: Path, make: Callable[[], str]) -> str:
    """As `kept`, in `file`, whose folder's parent exists."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return file.read_bytes().decode()
    made = make()
    with contextlib.suppress(OSError):
        file.parent.mkdir(exist_ok=True)
        partial = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            # Whole or not at all: others may read it at the same time.
            partial.write_bytes(made.encode())
            partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)
    return made
