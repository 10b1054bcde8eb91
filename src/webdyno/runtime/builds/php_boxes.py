"""Messages that PHP's consoles, such as Composer's, break to fit a box, put together again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_HEAD = re.compile(r"^In (\S+\.php line \d+):$")
"""What stands above a box."""

_FULL = 79
"""How wide a box is in which lines were broken: a terminal of the usual width, less a column."""

_MARGIN = "  "
"""On either side of each line in a box."""


def unboxed(lines: Iterable[str]) -> Iterator[str]:
    """`lines`, with each message of a box on one line that ends with where it is from."""
    place, message = "", ""
    for line in lines:
        if head := _HEAD.match(line):
            place, message = head[1], ""
        elif place and line.startswith(_MARGIN) and line.endswith(_MARGIN):
            message += line[len(_MARGIN) : -len(_MARGIN)]
            # One that fills the box goes on below.
            if len(line) == _FULL and message and message[-1] != " ":
                continue
            if text := message.strip():
                yield f"{text} ({place})"
            message = ""
        else:
            place = "" if line.strip() else place
            yield line
    if place and (text := message.strip()):  # The log ends within the box.
        yield f"{text} ({place})"
