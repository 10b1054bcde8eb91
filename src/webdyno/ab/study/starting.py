"""What helps a version that was built and does not come up."""

from __future__ import annotations

import re

from webdyno.ab.study.statuses import PLAIN


def remedy_of_start(reason: str) -> str:
    """What helps a version that did not start for `reason`, as the end of a sentence; empty where
    nothing is known to."""
    found = ((pattern.search(reason), told) for pattern, told in _REMEDIES)
    return next((one.expand(told) for one, told in found if one is not None), "")


_REMEDIES = (
    (
        re.compile(r"cannot start '([^'/]*/[^']*)': No such file"),
        r"; the build makes no \1: start what it makes (--command, or `command` under [run])",
    ),
    (
        re.compile(r" listens on (\d+)(?: and \d+)*, not on \$PORT"),
        r"; if a file of settings names \1, let each start change it there, with --writes "
        r"""(--command "sed -i 's/\1/${PORT}/' FILE && …")""",
    ),
    (re.compile(r" listens on no TCP port"), "; let it listen on 127.0.0.1 at $PORT"),
    (re.compile(r" gave no answer on \S+ within "), f"; if it speaks TLS, {PLAIN}"),
)
