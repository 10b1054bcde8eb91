"""The command that puts what is told in the place of a port that a source names."""

from __future__ import annotations

import re
import shlex
from pathlib import PurePosixPath

_OF_NODE = "Number(process.env.PORT)"
_READS = {
    ".java": 'Integer.parseInt(System.getenv("PORT"))',
    ".kt": 'System.getenv("PORT").toInt()',
    ".py": 'int(__import__("os").environ["PORT"])',
    **dict.fromkeys((".cjs", ".js", ".mjs", ".ts"), _OF_NODE),
}
"""How a source reads its port, by the ending of its name; others would need an import for that."""

_BEFORE = re.compile(r"(?<![\w.])[\w.]+[ \t=:(,]*$")


def edit_of(name: str, text: str, start: int) -> str:
    """The command that changes the source `name`, where a number begins at `start`; empty where
    that is not known, as with one in quotes."""
    reads = _READS.get(PurePosixPath(name).suffix)
    if reads is None or start < 0:
        return ""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    before = _BEFORE.search(line)
    # A constant of Kotlin's cannot be read when the program starts.
    if (
        before is None
        or re.search(r"\bconst\s+val\b", line)
        or any(line.count(quote) % 2 for quote in "\"'`")
    ):
        return ""
    number = re.match(r"\d+", text[start:])
    old = f"{before[0]}{number[0] if number else ''}"
    new = re.sub(r"([&/\\])", r"\\\1", f"{before[0]}{reads}")
    return f"sed -i 's/{re.sub(r'([.*^$/])', _ESCAPED, old)}/{new}/' {shlex.quote(name)}"


_ESCAPED = r"\\\1"
