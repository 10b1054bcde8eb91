"""A class name stands for one thing in all of `src/webdyno`."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3] / "src" / "webdyno"
OF_VERIFIERS = {"scenario"}
"""Names that a verifier's class must bear: that of `webdyno new`, too; in lower case."""


def test_no_two_classes_have_the_same_name() -> None:
    places = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        if PACKAGE / "content" in path.parents:
            continue
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            # Names that differ by case or a leading underscore alone are taken for the same.
            places[name.lstrip("_").lower()].append(f"{path.relative_to(PACKAGE)}: {name}")
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert twice.keys() <= OF_VERIFIERS, twice
