"""What files of Python import and say, parsed once however many tests ask."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """A file's syntax tree; nobody changes it."""
    return ast.parse(path.read_text(encoding="utf-8"))


def named(node: ast.AST) -> Iterator[str]:
    """The dotted names that a statement imports; none where it is no import."""
    if isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{name.name}" for name in node.names)
    elif isinstance(node, ast.Import):
        yield from (name.name for name in node.names)


_IMPORT = re.compile(
    r"^[ \t]*((?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+(?:\([^)]*\)|[^(\n][^\n]*))", re.MULTILINE
)


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """The dotted names that a file imports, anywhere in it, and those of examples in its texts.

    Its imports alone are parsed, each of which begins a line: all of it takes far longer.
    """
    found = _IMPORT.findall(path.read_text(encoding="utf-8"))
    return tuple(name for one in found for name in named(_statement(one)))


def _statement(line: str) -> ast.AST:
    """One of an import; of what only reads like one, in a text, a statement of nothing."""
    try:
        return ast.parse(line).body[0]
    except SyntaxError:
        return ast.Pass()
