"""The files that a server is built from, and copies of them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path

from webdyno.catalog.servers.server import Server
from webdyno.regular_file import bytes_of

MOST_SOURCE_BYTES = 500_000_000
"""Of a file among a server's sources."""
_NOT_SOURCE = frozenset(
    {
        "node_modules",
        "target",
        "build",
        "dist",
        ".venv",
        "__pycache__",
        ".git",
        ".gradle",
        ".build",
        "vendor",
    }
)


def source_of(server: Server) -> list[Path]:
    """The files that `server` is built from."""
    if server.source is None:
        return source_files(server.folder)
    return [server.folder / name for name in server.source]


def own_source_of(server: Server) -> list[Path]:
    """The same without its manifest, of which a digest holds what matters to it."""
    manifest = server.folder / server.manifest_file
    return [path for path in source_of(server) if path != manifest]


def content_of(path: Path) -> bytes:
    """What a source file holds; of a symbolic link that leads to no file, where it leads.

    Raises `UserError` for what cannot be read whole: a pipe, a socket, a file without an end.
    """
    if path.is_symlink() and not path.is_file():
        return os.fsencode(os.readlink(path))
    return bytes_of(
        path, MOST_SOURCE_BYTES, "remove it from the source", "remove it from the source"
    )


def digest_of_files(folder: Path, files: Iterable[Path], settings: object = ()) -> str:
    """Of the names and contents of `files`, which are below `folder`, of whether they can be
    executed, and of `settings`, which are plain data. Raises as `content_of`."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    for path in files:
        digest.update(str(path.relative_to(folder)).encode("utf-8", "surrogateescape") + b"\0")
        if path.is_file() and path.stat().st_mode & stat.S_IXUSR:
            digest.update(b"executable\0")
        digest.update(content_of(path) + b"\0")
    return digest.hexdigest()


def source_files(folder: Path) -> list[Path]:
    """The files of a server that are its source: nothing that a build would make."""
    found: list[Path] = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NOT_SOURCE)
        found += [Path(root) / name for name in sorted(files)]
    return found


def copy_source(source: Path, folder: Path) -> None:
    """Copy the source files of a server into `folder`."""
    copy_files(source_files(source), source, folder)


def copy_files(files: Iterable[Path], source: Path, folder: Path) -> None:
    """Copy `files`, which are below `source`, into `folder`. A symbolic link to a path of its own
    tree stays one."""
    for path in files:
        target = folder / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=not stays_a_link(path, source))


def stays_a_link(path: Path, source: Path) -> bool:
    """Whether a link means the same in a copy of `source`, or leads to no file that could be
    copied in its place."""
    if not path.is_symlink():
        return False
    where = Path(os.readlink(path))
    inside = not where.is_absolute() and path.resolve().is_relative_to(source.resolve())
    return inside or not path.is_file()
