"""The workspace that a folder is a member of: its lock file and its neighbours lie outside, where a
build of the folder alone does not see them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.recognised import json_of, table_of, text_of, toml_of

_OWN_LOCKS = (
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "Cargo.lock",
    "uv.lock",
)  # fmt: skip
"""Whose folder is built by itself."""


def workspace_of(folder: Path, manifest: str) -> str:
    """The nearest folder above that says that `folder` is a member, as seen from there; empty where
    none does, or where it has a lock file of its own."""
    here = folder.resolve()
    members = _MEMBERS.get(manifest)
    if members is None or any((here / name).is_file() for name in _OWN_LOCKS):
        return ""
    for above in here.parents:
        below = here.relative_to(above).as_posix()
        if any(fnmatchcase(below, name) for name in map(_plain, members(above)) if name):
            return os.path.relpath(above, here)
    return ""


def _plain(pattern: str) -> str:
    return pattern.strip().removeprefix("./").strip("/")


def _node(above: Path) -> list[str]:
    held = json_of(above / "package.json").get("workspaces")
    listed = _texts(held.get("packages") if isinstance(held, dict) else held)
    pnpm = text_of(above / "pnpm-workspace.yaml")
    return listed + re.findall(r"^\s*-\s*[\"']?([^\"'\s#]+)", pnpm, re.MULTILINE)


def _cargo(above: Path) -> list[str]:
    return _texts(table_of(toml_of(above / "Cargo.toml").get("workspace")).get("members"))


def _uv(above: Path) -> list[str]:
    uv = table_of(table_of(toml_of(above / "pyproject.toml").get("tool")).get("uv"))
    return _texts(table_of(uv.get("workspace")).get("members"))


def _texts(held: Any) -> list[str]:
    return [one for one in held if isinstance(one, str)] if isinstance(held, list) else []


_MEMBERS: dict[str, Callable[[Path], list[str]]] = {
    "package.json": _node, "Cargo.toml": _cargo, "pyproject.toml": _uv,
}  # fmt: skip
"""The members that a folder names, by the manifest of a member."""
