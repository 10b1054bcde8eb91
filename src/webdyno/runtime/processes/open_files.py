"""How many files a program may have open: as many as any other that we start.

The engine raises the limit of this process for its own connections. A program would inherit that,
and with it what the loads before its start happened to need; but some size their tables by it.
"""

from __future__ import annotations

import resource
from collections.abc import Sequence

ENOUGH = 65536
"""More than most loads have connections. Not all that is allowed, which may be a thousand million:
there are programs that go through every number up to their limit."""


def most_files(soft: int, hard: int) -> int:
    """The soft limit of programs, by those of this process."""
    target = max(soft, ENOUGH)
    return target if hard == resource.RLIM_INFINITY else min(target, hard)


MOST_FILES = most_files(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""As this process was started, before any load."""

_LIMITED = 'ulimit -S -n "$1" || exit 126; shift; exec "$@"'


def with_limit(argv: Sequence[str]) -> list[str]:
    """The command that starts `argv` with that limit, under the same process id."""
    return ["/bin/sh", "-c", _LIMITED, "sh", str(MOST_FILES), *argv]
