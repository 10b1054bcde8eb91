"""The engine's modules import downwards, and none imports itself by way of others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[3] / "engine" / "src"

ROOMS = (
    "lib",
    "run",
    "protocol",
    "reactor",
    "record",
    "check",
    "arrivals",
    "plan",
    "observer",
    "rights",
    "os",
    "random",
)
"""From above to below, as engine/src/lib.rs says; each may import itself and those after it."""

_USE = re.compile(r"^\s*(pub(?:\([\w ]+\))? )?use ([^;]+);", re.MULTILINE)
_TESTS = re.compile(r"^#\[cfg\(test\)\].*", re.MULTILINE | re.DOTALL)


def test_rooms_import_downwards() -> None:
    upwards = [
        f"{'::'.join(module)} imports {'::'.join(imported)}"
        for module, imports in imports_of(SOURCES).items()
        for imported in imports
        if ROOMS.index((module or ("lib",))[0]) > ROOMS.index(imported[0])
    ]
    assert upwards == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circles(imports_of(SOURCES)) == []


def test_a_circle_is_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "lib.rs").write_text("mod a;\nmod c;\n")
    (tmp_path / "a" / "mod.rs").write_text("mod b;\npub use b::{B, other};\n")
    (tmp_path / "a" / "b.rs").write_text("use crate::c::{self, C};\nuse super::d;\n")
    (tmp_path / "c.rs").write_text("pub fn c() {}\nuse crate::a::B;\n")
    assert circles(imports_of(tmp_path)) == [[("a", "b"), ("c",)]]


Module = tuple[str, ...]


def imports_of(sources: Path) -> dict[Module, set[Module]]:
    """The modules that each one imports from, tests left out.

    What a module hands on (`pub use`) counts as imported from where it is, and handing on is no
    import.
    """
    texts = {_module(sources, path): _code(path) for path in sorted(sources.rglob("*.rs"))}
    texts = {module: text for module, text in texts.items() if module[-1:] != ("tests",)}
    handed_on = {
        module: {path[-1]: path for public, path in _uses(text) if public}
        for module, text in texts.items()
    }

    def found(module: Module, path: Module) -> Module | None:
        here, *rest = path
        match here:
            case "crate":
                return resolved((), rest)
            case "self":
                return resolved(module, rest)
            case "super":
                return found(module[:-1], ("self", *rest))
            case _ if (*module, here) in texts:
                return resolved((*module, here), rest)
        return None

    def resolved(module: Module, rest: list[str]) -> Module | None:
        if not rest:
            return module
        if rest[0] == "super":
            return resolved(module[:-1], rest[1:])
        if (*module, rest[0]) in texts:
            return resolved((*module, rest[0]), rest[1:])
        if rest[0] in handed_on[module]:
            return found(module, handed_on[module][rest[0]])
        return module

    return {
        module: {
            other
            for public, path in _uses(text)
            if not public and (other := found(module, path)) and other != module
        }
        for module, text in texts.items()
    }


def circles(imports: dict[Module, set[Module]]) -> list[list[Module]]:
    """The groups of modules that all import each other, directly or by way of others."""

    def reached(start: Module) -> set[Module]:
        seen: set[Module] = set()
        ahead = [start]
        while ahead:
            for other in imports.get(ahead.pop(), set()) - seen:
                seen.add(other)
                ahead.append(other)
        return seen

    reach = {module: reached(module) for module in imports}
    groups = {
        frozenset(other for other in reach[module] if module in reach[other])
        for module in imports
        if module in reach[module]
    }
    return sorted(sorted(group) for group in groups)


def _module(sources: Path, path: Path) -> Module:
    parts = path.relative_to(sources).with_suffix("").parts
    return parts[:-1] if parts[-1] in ("mod", "lib") else parts


def _code(path: Path) -> str:
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    return _TESTS.sub("", text)


def _uses(text: str) -> Iterator[tuple[bool, Module]]:
    for public, tree in _USE.findall(text):
        for path in _paths(re.sub(r"\s+as\s+\w+|\s", "", tree)):
            yield (
                bool(public),
                tuple(part for part in path if part not in ("self", "*") or part == path[0]),
            )


def _paths(tree: str) -> Iterator[list[str]]:
    """The paths of a tree such as `a::{b, c::{d, e}}`."""
    head, brace, rest = tree.partition("{")
    if not brace:
        yield head.split("::")
        return
    before = [part for part in head.split("::") if part]
    depth, start = 0, 0
    inner = rest.removesuffix("}")
    for at, character in enumerate(inner + ","):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            if inner[start:at]:
                for path in _paths(inner[start:at]):
                    yield before + path
            start = at + 1
