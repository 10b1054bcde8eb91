"""Files all of whose tests are left out by `-m`: they need not even be imported."""

from __future__ import annotations

import ast
import re
from pathlib import Path


def is_deselected(path: Path, wanted: str) -> bool:
    """Whether the marks that a file gives all its tests are such as `wanted`, the value of `-m`,
    excludes. Where that is more than a list of marks, it is not looked into."""
    terms = wanted.split(" and ")
    if not all(re.fullmatch(r"(?:not )?\w+", term) for term in terms):
        return False
    excluded = {term.removeprefix("not ") for term in terms if term.startswith("not ")}
    return bool(excluded) and not excluded.isdisjoint(_marks(path.read_text(encoding="utf-8")))


def _marks(text: str) -> set[str]:
    """The marks of all tests in a file, those with arguments included."""
    if "\npytestmark = " not in text:
        return set()
    given = [
        node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
    ]
    marks = [one for value in given for one in ast.walk(value) if isinstance(one, ast.Attribute)]
    return {one.attr for one in marks if ast.unparse(one.value) == "pytest.mark"}
