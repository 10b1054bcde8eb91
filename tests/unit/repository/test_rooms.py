"""A package with rooms: each says what is in it, and imports between them run one way."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from support.source_code import imports_of, tree_of

ROOT = Path(__file__).resolve().parents[3]
SOURCE = ROOT / "src"


def rooms_of(package: Path) -> list[Path]:
    return sorted(path.parent for path in package.glob("*/__init__.py"))


def packages_in(folder: Path) -> list[Path]:
    """Those with rooms, at any depth below `folder`."""
    below = rooms_of(folder)
    return [room for room in below if rooms_of(room)] + [
        package for room in below for package in packages_in(room)
    ]


PACKAGES = sorted(packages_in(SOURCE / "webdyno"))


def title(package: Path) -> str:
    return package.relative_to(SOURCE / "webdyno").as_posix()


def uses(package: Path) -> dict[str, set[str]]:
    """Of what stands in a package, rooms and files, what each imports from the others."""
    within = f"{'.'.join(package.relative_to(SOURCE).parts)}."
    parts = [path for path in package.iterdir() if path in rooms_of(package)]
    parts += [path for path in package.glob("*.py") if path.stem != "__init__"]
    names = {path.stem for path in parts}
    return {
        part.stem: {
            name
            for file in ([part] if part.is_file() else part.rglob("*.py"))
            for whole in imports_of(file)
            if whole.startswith(within)
            if (name := whole.removeprefix(within).split(".")[0]) in names - {part.stem}
        }
        for part in parts
    }


def circle_in(package: Path) -> str:
    """One that there is, in words; empty where there is none."""
    try:
        TopologicalSorter(uses(package)).prepare()
    except CycleError as error:
        return " imports ".join(reversed(error.args[1]))
    return ""


@pytest.mark.parametrize("package", PACKAGES, ids=title)
def test_imports_between_rooms_run_one_way(package: Path) -> None:
    assert circle_in(package) == ""


@pytest.mark.parametrize("package", PACKAGES, ids=title)
def test_every_room_says_what_is_in_it(package: Path) -> None:
    silent = [
        room.name
        for room in rooms_of(package)
        if not ast.get_docstring(tree_of(room / "__init__.py"))
    ]
    assert silent == []


def modules(folder: Path) -> dict[str, set[str]]:
    """By the dotted name of each file below `folder`: the names of those that it imports, if only
    for its types."""
    files = {
        ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"): path
        for path in folder.rglob("*.py")
    }

    def found(name: str) -> str:
        return name if name in files else name.rpartition(".")[0]

    return {
        name: {one for one in map(found, imports_of(path)) if one in files and one != name}
        for name, path in files.items()
    }


def test_no_file_imports_itself_through_others(tmp_path: Path) -> None:
    found = modules(SOURCE)
    # The facade names types of modules that it imports only when they are asked for.
    del found["webdyno"]
    TopologicalSorter(found).prepare()
    (tmp_path / "one.py").write_text("from two import x")
    (tmp_path / "two.py").write_text("def x():\n    import one")
    with pytest.raises(CycleError):
        TopologicalSorter(modules(tmp_path)).prepare()


def drawn(name: str) -> list[list[str]]:
    """A package's rooms and files in CONTRIBUTING, from the highest step to the lowest."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(rf"^src/webdyno/{name}/ +(.*→.*(?:\n +.*)*)$", text, re.MULTILINE)
    assert found is not None
    return [re.findall(r"\w+", step) for step in found[1].split("→")]


@pytest.mark.parametrize("name", ["ab", "catalog", "cluster", "run", "verdict"])
def test_imports_run_as_they_are_drawn(name: str) -> None:
    steps, found = drawn(name), uses(SOURCE / "webdyno" / name)
    assert sorted(found) == sorted(part for step in steps for part in step)
    depth = {part: number for number, step in enumerate(steps) for part in step}
    upwards = [
        f"{part} imports {other}"
        for part, others in found.items()
        for other in others
        if depth[other] <= depth[part]
    ]
    assert upwards == []
