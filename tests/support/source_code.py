"""What files of Python import and say, parsed once however many tests ask."""

from __future__ import annotations

import ast
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


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """The dotted names that a file imports, anywhere in it."""
    return tuple(name for node in ast.walk(tree_of(path)) for name in named(node))
