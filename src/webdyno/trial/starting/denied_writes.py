"""A server that was not let write to its own folder or to a shared one, and the remedy."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.runtime.builds.failure_lines import LOG_LINES
from webdyno.runtime.processes.process import tail

REMEDY = "it may not write to its own folder; if it has to, set `writes = true` under [run]"

OPCACHE = (
    "opcache may not create its lock file in /tmp; start PHP with "
    '-d opcache.lockfile_path="$TMPDIR"'
)

_DENIED = re.compile(
    r"permission ?denied|\bEACCES\b|\bEROFS\b|read-only file ?system|readonly database|"
    r"AccessDeniedException|unable to open database file|access to the path .* is denied",
    re.IGNORECASE,
)
"""How languages word EACCES and EROFS."""

_OTHER = re.compile(r"\b(?:bind|listen|socket|port|exec)\b", re.IGNORECASE)
"""What else may be denied: a port below 1024, a file that is no program."""

_ABSOLUTE = re.compile(r"(?<![\w./-])/[^\s'\":,;)]+")

_SHARED = tuple(map(Path, ("/run", "/tmp", "/var")))
"""Where programs write by default what is to go below `$TMPDIR`."""


def remedy_of_denied_write(log: Path, folder: Path) -> str:
    """What helps a server that writes to its build `folder`, or to a folder that all programs
    share, which its log tells; else empty."""
    bare, elsewhere = False, list[Path]()
    # A log of JSON has an error and its whole trace in one line.
    for line in tail(log, LOG_LINES).replace(r"\n", "\n").splitlines():
        if not (_DENIED.search(line) and not _OTHER.search(line)):
            continue
        if "Unable to create lock file" in line:
            return OPCACHE
        named = [Path(one) for one in _ABSOLUTE.findall(line)]
        if any(one.is_relative_to(folder) for one in named):
            return REMEDY
        bare = bare or not named
        elsewhere += named
    if elsewhere:
        # What names no path beside them is the rest of the same error, such as its code.
        shared = [one for one in elsewhere if any(one.is_relative_to(root) for root in _SHARED)]
        return f"it may not write to {shared[0]}; have it write below $TMPDIR" if shared else ""
    # A path that is not absolute begins in that folder.
    return REMEDY if bare else ""
