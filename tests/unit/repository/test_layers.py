"""Imports run downwards only, as CONTRIBUTING.md draws the rooms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from support.source_code import imports_of

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "src" / "webdyno"
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())


def drawn() -> list[list[str]]:
    """The rooms from the highest to the lowest; those of one step stand side by side."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(r"imports run downwards only:\n(.*?)\n\w", text, re.DOTALL)
    assert found is not None
    return [re.findall(r"\w+", step) for step in found[1].split("→")]


def imported(path: Path) -> Iterator[str]:
    """The rooms that a file imports from, anywhere in it."""
    return (name.split(".")[1] for name in imports_of(path) if name.startswith("webdyno."))


def test_every_room_is_drawn() -> None:
    assert sorted(room for step in drawn() for room in step) == ROOMS


def test_no_room_imports_from_one_above_it() -> None:
    height = {room: -number for number, step in enumerate(drawn()) for room in step}
    upwards = {
        f"{path.relative_to(PACKAGE)} imports {room}"
        for own in height
        for path in (PACKAGE / own).rglob("*.py")
        for room in imported(path)
        if height.get(room, -len(height)) > height[own]
    }
    assert upwards == set()
