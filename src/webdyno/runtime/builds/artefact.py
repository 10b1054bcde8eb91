"""How large what a build delivers is, without what a compiler leaves for its next run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from webdyno.runtime.disk import size_of


def artefact_bytes(folder: Path, globs: Sequence[str], own: Sequence[str] = ()) -> int:
    """Bytes of the artefact in `folder`: the files matched by `globs`, whole folders included.

    A glob that begins with `!` takes out again what it matches, wherever it stands in the list.
    Without others, the artefact is everything but the files `own`, which are Webdyno's, and what
    compilers keep for themselves: of Cargo's `target` and SwiftPM's `.build` only the programs and
    libraries at the top of each profile's folder count, and the resources beside them.
    """
    taken = [glob for glob in globs if not glob.startswith("!")]
    left_out = _files(folder, [glob[1:] for glob in globs if glob.startswith("!")])
    files = _files(folder, taken) if taken else set(_delivered(folder))
    return size_of(files - left_out - {folder / name for name in own})


def _files(folder: Path, globs: list[str]) -> set[Path]:
    """What `globs` match, and everything in the folders among it."""
    chosen = [path for glob in globs for path in folder.glob(glob)]
    return {file for path in chosen for file in (path.rglob("*") if path.is_dir() else [path])}


def _delivered(folder: Path) -> Iterator[Path]:
    """All files below `folder`, of a compiler's own folders only what it delivers."""
    for root, folders, names in os.walk(folder):
        here = Path(root)
        of_compiler = next((of for mark, of in _COMPILERS.items() if mark in names), None)
        if of_compiler is None:
            yield from (here / name for name in names)
        else:
            yield from of_compiler(here)
            folders.clear()


def _of_cargo(target: Path) -> Iterator[Path]:
    """The programs and shared libraries of each profile, whose folders are in `target` or, by
    platform, one deeper."""
    for pattern in ("*/.fingerprint", "*/*/.fingerprint"):
        for mark in target.glob(pattern):
            yield from _programs(mark.parent)


def _of_swift(folder: Path) -> Iterator[Path]:
    """The programs and libraries of each configuration, and the resources of packages."""
    for made in folder.glob("*/*/description.json"):
        yield from _programs(made.parent)
        for pattern in ("*.resources", "*.bundle"):
            for resources in made.parent.glob(pattern):
                yield from resources.rglob("*")


def _programs(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_file() and os.access(path, os.X_OK))


_COMPILERS: dict[str, Callable[[Path], Iterator[Path]]] = {
    ".rustc_info.json": _of_cargo,
    "workspace-state.json": _of_swift,
}
"""By the file that tells the folder of a build."""
