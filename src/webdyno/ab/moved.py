"""Packages that moved with a dependency: in what else A and B differ if its version does."""

from __future__ import annotations

from pathlib import Path

from packaging.utils import canonicalize_name

from webdyno.ab.versions import Version
from webdyno.report.numbers import first_of

MOST_NAMED = 5
"""Of the packages that moved."""


def moved_with(versions: tuple[Version, Version], builds: tuple[Path, Path]) -> str:
    """Which packages the Python environments of two `builds` hold in other versions beside the
    dependency that was to differ, in a sentence; empty where there is none, or no such dependency.
    """
    asked = {_named(version.package) for version in versions if version.package}
    a, b = map(_installed, builds)
    others = [
        f"{name} ({a.get(name, 'none')}, {b.get(name, 'none')})"
        for name in sorted(a.keys() | b.keys())
        if name not in asked and a.get(name) != b.get(name)
    ]
    if not asked or not others:
        return ""
    return (
        f"A and B also differ in other packages: {first_of(others, MOST_NAMED)}; to compare the "
        "dependency alone, pin the others in the build"
    )


def _installed(build: Path) -> dict[str, str]:
    """The version of each package in its `.venv`."""
    found = build.glob(".venv/lib/python*/site-packages/*.dist-info")
    parted = (path.name.removesuffix(".dist-info").rpartition("-") for path in found)
    return {_named(name): version for name, _, version in parted}


def _named(package: str) -> str:
    """Its name as it is compared, without extras."""
    return canonicalize_name(package.partition("[")[0].strip())
