"""The workspace that a folder is a member of: its lock file and its neighbours lie outside, where a
build of the folder alone does not see them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.jvm.gradle import modules_of as modules_of_gradle
from webdyno.ab.recognise.jvm.maven import has_parent_beside
from webdyno.ab.recognise.jvm.maven import modules_of as modules_of_maven
from webdyno.ab.recognise.recognised import (
    in_copy,
    json_of,
    table_of,
    text_of,
    texts_of,
    toml_of,
)

_OWN_LOCKS = (
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "Cargo.lock",
    "deno.lock", "uv.lock", "settings.gradle", "settings.gradle.kts",
)  # fmt: skip
"""Whose folder is built by itself."""


def workspace_of(folder: Path, manifest: str) -> str:
    """The nearest folder above that says that `folder` is a member, as seen from there; empty where
    none does, or where it has a lock file of its own."""
    here = folder.resolve()
    members = _MEMBERS.get(manifest)
    if members is None or any(in_copy(here, name) for name in _OWN_LOCKS):
        return ""
    if manifest == "pom.xml" and not has_parent_beside(here):
        return ""
    for above in here.parents:
        below = here.relative_to(above).as_posix()
        patterns = members(above)
        names, excluded = (
            [one.removeprefix("!") for one in patterns if one.startswith("!") == wanted]
            for wanted in (False, True)
        )
        if _in_any(below, names) and not _in_any(below, excluded):
            return os.path.relpath(above, here)
    return ""


def _in_any(below: str, patterns: Iterable[str]) -> bool:
    plain = (one.strip().removeprefix("./").strip("/") for one in patterns)
    return any(_matches(below, pattern) for pattern in plain if pattern)


def _matches(below: str, pattern: str) -> bool:
    """As these tools do it: `*` stands for one folder's name, `**` for any number of them."""
    if "**" in pattern:
        return fnmatchcase(below, pattern)
    names, parts = below.split("/"), pattern.split("/")
    return len(names) == len(parts) and all(map(fnmatchcase, names, parts))


def _node(above: Path) -> list[str]:
    held = json_of(above / "package.json").get("workspaces")
    listed = texts_of(held.get("packages") if isinstance(held, dict) else held)
    return listed + _pnpm(text_of(above / "pnpm-workspace.yaml"))


def members_of(folder: Path, manifest: str) -> list[str]:
    """The members of the workspace in `folder` that have such a `manifest`, as seen from there;
    none where it is none."""
    patterns = _MEMBERS[manifest](folder)
    excluded = [one.removeprefix("!") for one in patterns if one.startswith("!")]
    kept = (one for one in patterns if one and one[0] not in "!/")
    plain = [one.removeprefix("./").rstrip("/") or "." for one in kept]
    # All that `**` stands for holds the folders of packages, which are large.
    plain = [one.replace("**", depth) for one in plain for depth in ("*", "*/*")]
    members = {
        path.parent.relative_to(folder).as_posix()
        for pattern in plain
        if not pattern.startswith("..")
        for path in folder.glob(f"{pattern}/{manifest}")
    }
    return sorted(
        one
        for one in members
        if "node_modules" not in one.split("/") and not _in_any(one, excluded)
    )


def needed_members(folder: Path, member: str) -> list[str]:
    """The other members of an npm, pnpm, Yarn or Bun workspace in `folder` that `member` depends
    on, itself or by others: those first that others depend on."""
    there = {
        str(json_of(folder / one / "package.json").get("name", "")): one
        for one in members_of(folder, "package.json")
    }
    members: dict[str, None] = {}

    def visit(one: str, above: frozenset[str]) -> None:
        package = json_of(folder / one / "package.json")
        for group in ("dependencies", "devDependencies"):
            for name in table_of(package.get(group)):
                below = there.get(name, "")
                if below and below not in above:
                    visit(below, above | {below})
                    members.setdefault(below)

    visit(member, frozenset({member}))
    return list(members)


def _pnpm(text: str) -> list[str]:
    """The packages of a pnpm-workspace.yaml, which has other lists as well; in either form."""
    text = re.sub(r"(?:^|(?<=\s))#[^\n]*", "", text)
    match = re.search(r"^packages:(.*?)(?=^\w|\Z)", text, re.DOTALL | re.MULTILINE)
    listed = match[1].strip() if match else ""
    separator = r"[\[,]" if listed.startswith("[") else r"^\s*-"
    return re.findall(rf"{separator}\s*[\"']?([^\"'\s,\]]+)", listed, re.MULTILINE)


def _maven(above: Path) -> list[str]:
    return list(modules_of_maven(above))


def _deno(above: Path) -> list[str]:
    held = (json_of(above / name).get("workspace") for name in ("deno.json", "deno.jsonc"))
    return [one for members in held for one in texts_of(members)]


def _cargo(above: Path) -> list[str]:
    return _listed(toml_of(above / "Cargo.toml").get("workspace"))


def _uv(above: Path) -> list[str]:
    uv = table_of(table_of(toml_of(above / "pyproject.toml").get("tool")).get("uv"))
    return _listed(uv.get("workspace"))


def _listed(workspace: Any) -> list[str]:
    held = table_of(workspace)
    excluded = [f"!{one.rstrip('/')}" for one in texts_of(held.get("exclude"))]
    # With a folder that Cargo excludes, those below it are.
    return [*texts_of(held.get("members")), *excluded, *(f"{one}/**" for one in excluded)]


_MEMBERS: dict[str, Callable[[Path], list[str]]] = {
    "package.json": _node, "Cargo.toml": _cargo, "pyproject.toml": _uv, "pom.xml": _maven,
    "deno.json": _deno, "deno.jsonc": _deno,
    "build.gradle": modules_of_gradle, "build.gradle.kts": modules_of_gradle,
}  # fmt: skip
"""The members that a folder names, by the manifest of a member; a `!` excludes."""


def of_go_work(folder: Path) -> str:
    """The first module that the one in `folder` requires and that a go.work above it takes from a
    neighbour of it, as seen from there; empty where there is none."""
    here = folder.resolve()
    needs = text_of(here / "go.mod")
    above = next((one for one in here.parents if in_copy(one, "go.work")), None)
    if not needs or above is None or (here / "go.work").is_file():
        return ""
    for used in _used(above):
        named = re.search(r"^module\s+(\S+)", text_of(used / "go.mod"), re.MULTILINE)
        required = rf"^\s*(?:require\s+)?{re.escape(named[1])}\s+v" if named else ""
        if required and re.search(required, needs, re.MULTILINE):
            return os.path.relpath(used, here)
    return ""


def _used(above: Path) -> list[Path]:
    text = re.sub(r"//[^\n]*", "", text_of(above / "go.work"))
    listed = re.findall(r"^\s*use\s+(?:\(([^)]*)\)|(\S+))", text, re.MULTILINE)
    return [above / name.strip('"') for names in listed for name in " ".join(names).split()]
