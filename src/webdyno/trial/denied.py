"""A server that was not let write to its own folder, and the remedy."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.runtime.builds.telling import LOG_LINES
from webdyno.runtime.processes.process import tail

REMEDY = "it may not write to its own folder; if it has to, set `writes = true` under [run]"

_DENIED = re.compile(
    r"permission ?denied|\bEACCES\b|\bEROFS\b|read-only file ?system|readonly database|"
    r"AccessDeniedException|unable to open database file|access to the path .* is denied",
    re.IGNORECASE,
)
"""How languages word EACCES and EROFS."""

_OTHER = re.compile(r"\b(?:bind|listen|socket|port|exec)\b", re.IGNORECASE)
"""What else may be denied: a port below 1024, a file that is no program."""

_ABSOLUTE = re.compile(r"(?<![\w./-])/[^\s'\":,;)]+")


def remedy_of(log: Path, folder: Path) -> str:
    """What helps a server that writes to its build `folder`, which its log tells; else empty."""
    for line in tail(log, LOG_LINES).splitlines():
        if not (_DENIED.search(line) and not _OTHER.search(line)):
            continue
        named = [Path(one) for one in _ABSOLUTE.findall(line)]
        # A path that is not absolute begins in that folder.
        if not named or any(one.is_relative_to(folder) for one in named):
            return REMEDY
    return ""
