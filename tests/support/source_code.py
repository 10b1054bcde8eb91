"""What files of Python import and say, parsed once however many tests ask."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """A file's syntax tree; nobody changes it."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_names(node: ast.AST) -> Iterator[str]:
    """The dotted names that a statement imports; none where it is no import."""
    if isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{name.name}" for name in node.names)
    elif isinstance(node, ast.Import):
        yield from (name.name for name in node.names)


_IMPORT = re.compile(
    r"^[ \t]*((?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+(?:\([^)]*\)|[^(\n][^\n]*))", re.MULTILINE
)
_ELSEWHERE = re.compile(r"^[^#\n]*[;:][ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]", re.MULTILINE)
"""An import behind another statement of its line, or what reads like one."""


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """The dotted names that a file imports, anywhere in it, and those of examples in its texts.

    Its imports alone are parsed where each begins a line: all of it takes far longer.
    """
    return tuple(
        name for tree in _parsed(path) for node in ast.walk(tree) for name in imported_names(node)
    )


def _parsed(path: Path) -> list[ast.Module]:
    """A file's imports, or all of it where one may stand behind another statement."""
    text = path.read_text(encoding="utf-8")
    if not _ELSEWHERE.search(text):
        with contextlib.suppress(SyntaxError):
            return [ast.parse(one) for one in _IMPORT.findall(text)]
    return [tree_of(path)]
