"""A class name stands for one thing in all of `src/webdyno`."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from support.source_code import tree_of

PACKAGE = Path(__file__).resolve().parents[3] / "src" / "webdyno"
OF_VERIFIERS = {"Scenario"}
"""Names that a verifier's class must bear: the one that `webdyno new` writes, too."""


def test_no_two_classes_have_the_same_name() -> None:
    places = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        if PACKAGE / "content" in path.parents:
            continue
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(PACKAGE)))
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert twice.keys() <= OF_VERIFIERS, twice
