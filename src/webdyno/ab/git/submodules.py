"""Git submodules: of a commit, from what the repository has already; of a working copy, as it is.

Nothing is fetched: whatever is missing is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webdyno.runtime.builds.git import git


@dataclass(frozen=True)
class Submodule:
    """A submodule that a commit names: where it lies in the tree, and of which commit it is."""

    path: str
    hash: str
    name: str


def submodules_of(repository: Path, commit: str, tree: Path) -> Iterator[Submodule]:
    """Those of `commit` in the git folder `repository`, whose files are checked out in `tree`."""
    named = dict(_named(tree))
    if not named:
        return
    listed = git(["ls-tree", "-r", "-z", commit], tree, {"GIT_DIR": str(repository)}).stdout
    for line in listed.split("\0"):
        held, _, path = line.partition("\t")
        if held.startswith("160000 ") and path in named:
            yield Submodule(path, held.split()[2], named[path])


def objects_of(repository: Path, submodule: Submodule) -> Path | None:
    """The git folder that holds the submodule's commit; None where it was never fetched."""
    environment = {"GIT_DIR": str(repository)}
    shared = git(["rev-parse", "--git-common-dir"], repository, environment).stdout.strip()
    for base in (repository, repository / shared):
        folder = base / "modules" / submodule.name
        arguments = ["cat-file", "-e", f"{submodule.hash}^{{commit}}"]
        if folder.is_dir() and not git(arguments, folder, {"GIT_DIR": str(folder)}).returncode:
            return folder
    return None


def missing_submodules(tree: Path, folder: Path) -> list[str]:
    """The submodules of `tree` in `folder`, which lies in it, that are there as empty folders."""
    paths = []
    for path, _ in _named(tree):
        place = tree / path
        if not place.is_dir():
            continue
        if any(place.iterdir()):
            paths += [f"{path}/{below}" for below in missing_submodules(place, folder)]
        elif place.is_relative_to(folder):
            paths.append(path)
    return paths


def _named(tree: Path) -> Iterator[tuple[str, str]]:
    """Path and name of each submodule that the tree's `.gitmodules` has."""
    if not (tree / ".gitmodules").is_file():
        return
    arguments = ["config", "-z", "-f", ".gitmodules", "--get-regexp", r"^submodule\..*\.path$"]
    for line in git(arguments, tree).stdout.split("\0"):
        key, _, path = line.partition("\n")
        if path:
            yield path, key.removeprefix("submodule.").removesuffix(".path")
