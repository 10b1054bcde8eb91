"""Which command a command line calls: what it is about is not told by the other words in it."""

from __future__ import annotations

from collections.abc import Sequence

_WITH_VALUE = ("--content",)
"""Options of the program itself that are followed by a value."""


def command_of(words: Sequence[str]) -> str:
    """The command in `words`, which follow the program's name, such as `run`; empty where there is
    none."""
    following = iter(words)
    for word in following:
        if word in _WITH_VALUE:
            next(following, None)
        elif not word.startswith("-"):
            return word
    return ""
