"""What two builds hold of a dependency that was to differ, and in what else they differ."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from pathlib import Path

from webdyno.ab.recognise.recognised import json_of
from webdyno.ab.versions.packages import named
from webdyno.ab.versions.version import Version
from webdyno.report.numbers import first_of

MOST_NAMED = 5
"""Of the packages that moved."""

_DEPTHS = ("", "*/", "*/*/")
"""Where the members of a workspace keep packages of their own, and where all have theirs."""


def other_package_differences(versions: tuple[Version, Version], builds: tuple[Path, Path]) -> str:
    """Which packages the Python environments of two `builds` hold in other versions beside the
    dependency that was to differ, in a sentence; empty where there is none, or no such dependency.
    """
    requested = {named(version.package) for version in versions if version.package}
    a, b = map(_installed, builds)
    others = [
        f"{name} ({a.get(name, 'none')}, {b.get(name, 'none')})"
        for name in sorted(a.keys() | b.keys())
        if name not in requested and a.get(name) != b.get(name)
    ]
    if not requested or not others:
        return ""
    return (
        f"A and B also differ in other packages: {first_of(others, MOST_NAMED)}; to compare the "
        "dependency alone, pin the others in the build"
    )


def unchanged_dependency(versions: tuple[Version, Version], builds: tuple[Path, Path]) -> str:
    """That both `builds` hold the dependency that was to differ in one and the same version, in a
    sentence; empty where they do not, or where no such dependency was named.

    A later command of the build may put the locked version back, and a member of a workspace may
    have a version of its own.
    """
    one, other = (version.package for version in versions)
    if not one or one != other or versions[0].added == versions[1].added:
        return ""
    a, b = (dict(_copies(build, one)) for build in builds)
    # A member without a copy of its own loads that at the top.
    seen = {place: (a.get(place) or a.get(""), b.get(place) or b.get("")) for place in {**a, **b}}
    same = [
        f"{old} in {place}" if place else old
        for place, (old, new) in sorted(seen.items())
        if old and old == new
    ]
    if not same:
        return ""
    copies = ", ".join(same)
    return (
        f"A and B have the same {one} installed ({copies}), so they do not differ where it is "
        "loaded: a workspace member that pins it keeps its version, `uv run` in a build restores "
        "the locked one, or both names mean this version; compare two commits instead"
    )


def _copies(build: Path, package: str) -> Iterator[tuple[str, str]]:
    """The folders of a build whose packages hold `package`, each with its version; the top of the
    build is an empty name."""
    for path in _environments(build):
        if version := _held_by(path).get(named(package)):
            place = path.parent.relative_to(build)
            yield "" if place == Path() else place.as_posix(), version
    for depth in _DEPTHS:
        for path in sorted(build.glob(f"{depth}node_modules/{package}/package.json")):
            folder = path.relative_to(build).parts[: -len(Path(package).parts) - 2]
            if "node_modules" not in folder and (version := json_of(path).get("version")):
                yield "/".join(folder), str(version)


def _installed(build: Path) -> Mapping[str, str]:
    """The version of each package in the first of its environments that holds it."""
    return ChainMap(*map(_held_by, _environments(build)))


def _environments(build: Path) -> list[Path]:
    """Each `.venv` of a build, those at the top first."""
    return [path for depth in _DEPTHS for path in sorted(build.glob(f"{depth}.venv"))]


def _held_by(environment: Path) -> dict[str, str]:
    """The version of each package in a `.venv`."""
    folders = environment.glob("lib/python*/site-packages/*.dist-info")
    parted = (path.name.removesuffix(".dist-info").rpartition("-") for path in folders)
    return {named(name): version for name, _, version in parted}
