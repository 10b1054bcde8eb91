"""A command as a line: split into a program and its arguments, or left to a shell."""

from __future__ import annotations

import re
import shlex

_FILLED_IN = re.compile(r"\$\{(?:PORT|CPUS|SCENARIO|PYTHON|CACHE)\}")
_PLAIN = re.compile(r"[\w@%+=:,./\s'\"-]*", re.ASCII)
_QUOTED = re.compile(r"'[^'\n]*'")
_SEVERAL = re.compile(r"[;&|\n]")
_ASSIGNMENT = re.compile(r"^\s*\w+=")


def argv_of(line: str) -> list[str]:
    """The argv of a command line: its words, or a shell that reads it, where it holds more than
    words. `${PORT}` and the like are filled in later, and need no shell.

    A shell makes way for a single command, so that signals reach it. Raises `ValueError` for a
    quotation that does not end, and for a line without a command.
    """
    text = line.strip()
    if not text:
        raise ValueError("a command must not be empty")
    words = shlex.split(text)
    alone = _ASSIGNMENT.match(text) is None
    # What stands in single quotes means itself, to a shell as well.
    read = text if '"' in text else _QUOTED.sub("", text)
    if alone and _PLAIN.fullmatch(_FILLED_IN.sub("", read)):
        return words
    if alone and not _SEVERAL.search(text) and words[0] not in ("cd", "exec", "export", ".", "if"):
        text = f"exec {text}"
    return ["sh", "-c", text]
