"""What of a file in Python runs: its code, without what only its readers see."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
from typing import Any


@functools.lru_cache(maxsize=1024)
def code_digest(source: bytes) -> bytes:
    """The same for two sources that differ only in comments, docstrings, blank lines, and how they
    are laid out; of `source` as it stands where that is not valid Python.

    Empty parts of the tree are left out, because releases of Python differ in which there are.
    """
    try:
        code = json.dumps(_plain(ast.parse(source))).encode()
    except (SyntaxError, ValueError, RecursionError):
        code = source
    return hashlib.sha256(code).digest()


def _plain(value: Any) -> Any:
    if isinstance(value, ast.AST):
        parts = [[name, _plain(part)] for name, part in ast.iter_fields(value)]
        return [type(value).__name__, *(part for part in parts if part[1] not in (None, []))]
    if isinstance(value, list):
        return [_plain(one) for one in value if not _is_prose(one)]
    return None if value is None else ascii(value)


def _is_prose(statement: Any) -> bool:
    """Whether it is a statement that is only a text: a docstring, or one that explains a name."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
