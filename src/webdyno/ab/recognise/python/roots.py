"""The folders from which a project in Python is imported, as its build backend is told of them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.recognised import table_of, texts_of, toml_of

USUAL = "src"

_PATTERN = re.compile(r"[*?[\0]")


def roots_of(folder: Path) -> list[str]:
    """The folders below the project's own from which its packages are imported, the innermost
    first."""
    tools = table_of(toml_of(folder / "pyproject.toml").get("tool"))
    roots = {posixpath.normpath(one) for one in (USUAL, *_told(tools))}
    inside = (
        one
        for one in roots
        # None that `glob` would take for a pattern.
        if one != "." and not one.startswith(("..", "/")) and not _PATTERN.search(one)
    )
    return sorted(inside, key=lambda one: (-one.count("/"), one))


def _told(tools: dict[str, Any]) -> Iterator[str]:
    """What the backends are told: Hatchling, setuptools, Poetry, PDM, uv's own."""
    wheel = _below(tools, "hatch", "build", "targets", "wheel")
    yield from (posixpath.dirname(one) for one in texts_of(wheel.get("packages")))
    yield from texts_of(wheel.get("sources"))
    yield from texts_of(_below(tools, "hatch", "build").get("sources"))
    yield from texts_of(_below(tools, "setuptools", "packages", "find").get("where"))
    packages = table_of(tools.get("poetry")).get("packages")
    yield from (
        str(table_of(one).get("from", ""))
        for one in (packages if isinstance(packages, list) else [])
    )
    yield str(_below(tools, "setuptools", "package-dir").get("", ""))
    yield str(_below(tools, "pdm", "build").get("package-dir", ""))
    yield str(_below(tools, "uv", "build-backend").get("module-root", ""))


def _below(held: dict[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        held = table_of(held.get(key))
    return held
