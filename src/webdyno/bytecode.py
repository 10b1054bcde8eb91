"""Compiled modules that were cut short are compiled again.

Python takes a cached module's header for a sign that the rest is there. Where a disk was full when
it was written, it is not, and every later start would end with an EOFError.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
from importlib.machinery import SourceFileLoader
from types import CodeType

_read = SourceFileLoader.get_code


def mend_cut_short() -> None:
    """From now on, have modules whose cached code cannot be read compiled from their source."""
    SourceFileLoader.get_code = _get_code  # type: ignore[assignment, method-assign]


def _get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
    try:
        return _read(loader, fullname)
    except (EOFError, ValueError, TypeError):
        path = loader.get_filename(fullname)
        # It may be no cache of ours to remove, or an interpreter that keeps none: then the fault is
        # the source's, and told below.
        with contextlib.suppress(OSError, NotImplementedError):
            os.unlink(importlib.util.cache_from_source(path))
        return loader.source_to_code(loader.get_data(path), path)
