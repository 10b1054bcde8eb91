"""The scripts that draw a page's charts, kept from one report to the next: putting them together
takes more than three seconds of CPU time, and gives the same text for the same version."""

from __future__ import annotations

import contextlib
import functools
import os
import re
from importlib.metadata import version
from typing import TYPE_CHECKING

from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import make_own

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@functools.cache
def bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, out of the package: no network."""
    try:
        cache = Home.default().cache
        make_own(cache.parent)  # What is there becomes part of a page, as code.
    except (OSError, UserError):
        return _put_together()
    return kept(cache / f"vega-{version('vl-convert-python')}.js", _put_together)


def kept(file: Path, make: Callable[[], str]) -> str:
    """What `file` holds; where it does not exist, what `make` gives, which it then holds if it can
    be written."""
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


def _put_together() -> str:
    import vl_convert

    script: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]
    return re.sub(r"</(script)", r"<\\/\1", script, flags=re.IGNORECASE)
