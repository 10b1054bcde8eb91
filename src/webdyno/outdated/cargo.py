"""Cargo: `Cargo.toml` and `Cargo.lock`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from webdyno.outdated.ecosystem import Package, ask
from webdyno.outdated.newer import newer

_LINE = re.compile(
    r"^\s*(?:Updating|Unchanged|Downgrading) (?P<name>\S+) v(?P<locked>\S+)"
    r"(?: -> v(?P<within>\S+))?(?: \((?:available: v(?P<newest>[^,)\s]+)|[^)]*)[^)]*\))?\s*$",
    re.MULTILINE,
)


class Cargo:
    """Asks `cargo update --dry-run`, and updates with `cargo add`."""

    manifest = "Cargo.toml"
    writes = ("Cargo.toml", "Cargo.lock")

    def behind(self, folder: Path, series: str) -> list[Package]:
        """See `Ecosystem`."""
        _, err = ask(["cargo", "update", "--dry-run", "--verbose"], folder, env=_PLAIN)
        return parsed(err, set(_dependencies(folder)))

    def update(self, folder: Path, packages: Sequence[Package]) -> dict[str, str]:
        """See `Ecosystem`. Features stay as they are, and a pin stays a pin."""
        bounds = _dependencies(folder)
        wanted = []
        for one in packages:
            pin = "=" if _version(bounds[one.name]).startswith("=") else ""
            wanted.append(f"{one.name}@{pin}{one.newest}")
        ask(["cargo", "add", "--quiet", *wanted], folder, env=_PLAIN)
        ask(["cargo", "update", "--workspace"], folder, env=_PLAIN)
        return {}


_PLAIN = {"CARGO_TERM_COLOR": "never"}


def parsed(err: str, direct: Collection[str]) -> list[Package]:
    """What `cargo update --dry-run --verbose` said of `direct` dependencies."""
    found = []
    for match in _LINE.finditer(err):
        locked = match["locked"]
        within = match["within"] or locked
        newest = match["newest"] or within
        if match["name"] in direct and newer(newest, locked):
            found.append(Package(match["name"], locked, within, newest))
    return sorted(found, key=lambda one: one.name)


def _dependencies(folder: Path) -> dict[str, Any]:
    held = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))
    return dict(held.get("dependencies", {}))


def _version(bound: Any) -> str:
    return str(bound.get("version", "")) if isinstance(bound, dict) else str(bound)


ECOSYSTEM = Cargo()
