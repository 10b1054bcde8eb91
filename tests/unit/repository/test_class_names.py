"""The name of a class or a type stands for one thing in all of `src/webdyno`."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3] / "src" / "webdyno"
OF_VERIFIERS = {"scenario"}
"""Names that a verifier's class must bear: that of `webdyno new`, too; in lower case."""

CLASS = re.compile(r"^class (\w+)", re.MULTILINE)
TYPE = re.compile(r"^(_?[A-Z]\w*[a-z]\w*) = (?!TypeVar\()(.*(?:\n[ )\]}].*)*)", re.MULTILINE)
"""Its name, and what it stands for, over all of its lines."""


def test_no_two_classes_or_types_have_the_same_name() -> None:
    meanings = defaultdict(set)
    for path in sorted(PACKAGE.rglob("*.py")):
        if PACKAGE / "content" in path.parents:
            continue
        text = path.read_text(encoding="utf-8")
        found = [(name, f"{path.relative_to(PACKAGE)}: {name}") for name in CLASS.findall(text)]
        # Types that stand for the same are one.
        found += [(name, "".join(meaning.split())) for name, meaning in TYPE.findall(text)]
        for name, meaning in found:
            # Names that differ by case or a leading underscore alone are taken for the same.
            meanings[name.lstrip("_").lower()].add(meaning)
    twice = {name: found for name, found in meanings.items() if len(found) > 1}
    assert twice.keys() <= OF_VERIFIERS, twice
