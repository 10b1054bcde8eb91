"""Cargo: `Cargo.toml` and `Cargo.lock`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from webdyno.outdated.ecosystem import Ecosystem, Package, RegistryUnanswered, ask
from webdyno.outdated.newer import newer

_LINE = re.compile(
    r"^\s*(?:Updating|Unchanged|Downgrading) (?P<name>\S+) v(?P<locked>\S+)"
    r"(?: -> v(?P<within>\S+))?"
    r"(?: \((?:available: v(?P<newest>[^,)\s]+)(?:, requires (?P<needs>[^)]+))?|[^)]*)[^)]*\))?"
    r"\s*$",
    re.MULTILINE,
)


class Cargo(Ecosystem):
    """Asks `cargo update --dry-run`, and updates with `cargo add`."""

    manifest = "Cargo.toml"
    writes = ("Cargo.toml", "Cargo.lock")

    def outdated_packages(self, folder: Path, series: str) -> list[Package]:
        """See `Ecosystem`."""
        bounds = _dependencies(folder)
        _, err = ask(_ASKED, folder, env=_PLAIN)
        if any(map(_is_published, bounds.values())) and _INDEX.search(err) is None:
            # It then ends well, and finds nothing newer than what is here.
            raise RegistryUnanswered(
                "cargo update does not look up releases, because it is offline (CARGO_NET_OFFLINE, "
                "or net.offline in its configuration)"
            )
        return parsed(err, set(bounds))

    def update(self, folder: Path, packages: Sequence[Package]) -> dict[str, str]:
        """See `Ecosystem`. Features stay as they are, and a pin stays a pin.

        A release that needs a newer Rust than there is is not taken: nothing could be built of it.
        """
        bounds = _dependencies(folder)
        _, err = ask(_ASKED, folder, env=_PLAIN)
        stay = needing(err, [one.name for one in packages])
        wanted = []
        for one in packages:
            if one.name in stay:
                continue
            pin = "=" if _version(bounds[one.name]).startswith("=") else ""
            wanted.append(f"{one.name}@{pin}{one.newest}")
        if wanted:
            ask(["cargo", "add", "--quiet", *wanted], folder, env=_PLAIN)
            ask(["cargo", "update", "--workspace"], folder, env=_PLAIN)
        return {name: f"{name} needs {needs}" for name, needs in stay.items()}


_INDEX = re.compile(r"^\s*Updating (?!\S+ v\d)", re.MULTILINE)
"""What cargo tells of a registry or a repository that it asks, not of a package."""

_ASKED = ("cargo", "update", "--dry-run", "--verbose")
_PLAIN = {"CARGO_TERM_COLOR": "never"}


def parsed(err: str, direct: Collection[str]) -> list[Package]:
    """What `cargo update --dry-run --verbose` said of `direct` dependencies."""
    packages = []
    for match in _LINE.finditer(err):
        locked = match["locked"]
        within = match["within"] or locked
        newest = match["newest"] or within
        if match["name"] in direct and newer(newest, locked):
            packages.append(Package(match["name"], locked, within, newest))
    return sorted(packages, key=lambda one: one.name)


def needing(err: str, direct: Collection[str]) -> dict[str, str]:
    """Of `direct` dependencies those whose newest release cannot be built here, each with what it
    needs, such as `Rust 1.94.0`."""
    return {
        match["name"]: match["needs"]
        for match in _LINE.finditer(err)
        if match["needs"] and match["name"] in direct
    }


def _dependencies(folder: Path) -> dict[str, Any]:
    held = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))
    return dict(held.get("dependencies", {}))


def _is_published(bound: Any) -> bool:
    """Whether a dependency comes from a registry or a repository, not from a folder."""
    return not isinstance(bound, dict) or "path" not in bound


def _version(bound: Any) -> str:
    return str(bound.get("version", "")) if isinstance(bound, dict) else str(bound)


ECOSYSTEM = Cargo()
