"""Texts of manifests, laid out for a terminal."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap

_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
"""How an item of a list begins."""


def columns() -> int:
    """The width of the terminal, but enough for a few words."""
    return max(40, shutil.get_terminal_size().columns)


def hanging(text: str, indent: str) -> str:
    """Each line of `text` in lines no wider than the terminal, the further ones behind `indent`;
    as it is where stdout is no terminal."""
    if not sys.stdout.isatty():
        return text
    return "\n".join(
        textwrap.fill(
            line,
            columns(),
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.splitlines()
    )


def reflowed(text: str, width: int) -> str:
    """`text` with lines of at most `width` columns: its paragraphs and the items of its lists.

    A word that is longer than a line, such as a path or a piece of code, is left whole.
    """
    return "\n\n".join(
        "\n".join(_filled(part, width) for part in _parts(paragraph))
        for paragraph in re.split(r"\n\s*\n", text.strip())
    )


def _parts(paragraph: str) -> list[str]:
    """The items of a list, each whole, and what stands before it."""
    parts: list[str] = []
    for line in paragraph.splitlines():
        if not parts or _ITEM.match(line):
            parts.append(line)
        else:
            parts[-1] += f" {line.strip()}"
    return parts


def _filled(part: str, width: int) -> str:
    item = _ITEM.match(part)
    return textwrap.fill(
        part,
        width,
        subsequent_indent=" " * len(item[0]) if item else "",
        break_long_words=False,
        break_on_hyphens=False,
    )
