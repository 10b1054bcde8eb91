"""Files all of whose tests are left out by `-m`: they need not even be imported."""

from __future__ import annotations

import re
from pathlib import Path

_WHOLE = re.compile(r"^pytestmark = (\[[^]]*\]|pytest\.mark\.\w+$)", re.MULTILINE)
"""The marks of all tests in a file."""


def is_left_out(path: Path, wanted: str) -> bool:
    """Whether the marks that a file gives all its tests are such as `wanted`, the value of `-m`,
    excludes. Where that is more than a list of marks, it is not looked into."""
    terms = wanted.split(" and ")
    if not all(re.fullmatch(r"(?:not )?\w+", term) for term in terms):
        return False
    excluded = [term.removeprefix("not ") for term in terms if term.startswith("not ")]
    whole = _WHOLE.search(path.read_text(encoding="utf-8")) if excluded else None
    return whole is not None and any(
        re.search(rf"\bpytest\.mark\.{name}\b", whole[1]) for name in excluded
    )
