"""What helps a version that was built and does not come up."""

from __future__ import annotations

import re
from collections.abc import Callable

from webdyno.ab.study.statuses import PLAIN


def remedy_of_start(reason: str) -> str:
    """What helps a version that did not start for `reason`, as the end of a sentence; empty where
    nothing is known to."""
    found = ((pattern.search(reason), told) for pattern, told in _REMEDIES)
    return next((told(one) for one, told in found if one is not None), "")


def _no_file(found: re.Match[str]) -> str:
    return (
        f"; the build makes no {found[1]}: start what it makes (--command, or `command` under "
        "[run])"
    )


def _fixed(found: re.Match[str]) -> str:
    return (
        f"; if a file of settings names {found[1]}, let each start change it there, with --writes "
        f"(--command \"sed -i 's/{found[1]}/${{PORT}}/' FILE && …\")"
    )


def _silent(_found: re.Match[str]) -> str:
    return f"; if it speaks TLS, {PLAIN}"


_REMEDIES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"cannot start '([^'/]*/[^']*)': No such file"), _no_file),
    (re.compile(r" listens on (\d+)(?: and \d+)*, not on \$PORT"), _fixed),
    (re.compile(r" gave no answer on \S+ within "), _silent),
)
