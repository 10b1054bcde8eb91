"""Updating one server: its manifest's bounds and its lock file, by its ecosystem's own client."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webdyno.catalog.servers.server import Server
from webdyno.errors import UserError
from webdyno.outdated.ecosystem import Ecosystem, Package
from webdyno.outdated.registry import ecosystems_of
from webdyno.runtime.builds.sources import copy_files, source_of

_FRAMEWORK = re.compile(r'^(framework_version\s*=\s*")([^"]*)(")', re.MULTILINE)


@dataclass(frozen=True)
class Updated:
    """What an update changed: packages, files, and lines of `server.toml` that still name a version
    which is gone. `left` are packages that are behind all the same, `reasons` why, by name, where
    that is known."""

    packages: list[Package]
    left: list[Package]
    files: list[Path]
    still_named: list[str]
    reasons: dict[str, str] = field(default_factory=dict)


def update(server: Server) -> Updated:
    """Take the newest releases of the server's direct dependencies.

    Everything happens in a copy first, so that a client that fails leaves the server as it was.
    Raises `RegistryUnanswered`, and `UserError` where the server's files may not be written.
    """
    manifest = server.folder / "server.toml"
    _refuse_unwritable([manifest, *_written(server.folder)])
    for ecosystem in ecosystems_of(server.folder):
        ecosystem.check_client()
    packages: list[Package] = []
    left: list[Package] = []
    reasons: dict[str, str] = {}
    changed: dict[Path, bytes] = {}
    with tempfile.TemporaryDirectory(prefix="webdyno-update-") as name:
        folder = Path(name)
        copy_files(source_of(server), server.folder, folder)
        for ecosystem in ecosystems_of(folder):
            there = [path.name for path in _there(ecosystem, folder)]
            outdated = ecosystem.outdated_packages(folder, "")
            if not outdated:
                continue
            # From the server's own files again: asking may have written to the copy.
            copy_files([server.folder / file for file in there], server.folder, folder)
            reasons |= ecosystem.update(folder, outdated)
            # Asked again, since a client may leave what does not go together with the rest.
            after = {one.name: one for one in ecosystem.outdated_packages(folder, "")}
            kept = [one for one in outdated if after.get(one.name, one).locked != one.locked]
            packages += [one for one in outdated if one.name not in after or one in kept]
            left += after.values()
            for file in there:
                content = (folder / file).read_bytes()
                if content != (server.folder / file).read_bytes():
                    changed[server.folder / file] = content
    text = manifest.read_text(encoding="utf-8")
    stated = restated(text, packages)
    if stated != text:
        changed[manifest] = stated.encode()
    _write_all(changed)
    return Updated(packages, left, list(changed), _still_named(stated, packages), reasons)


def _there(ecosystem: Ecosystem, folder: Path) -> list[Path]:
    return [path for file in ecosystem.writes if (path := folder / file).is_file()]


def _written(folder: Path) -> list[Path]:
    return [path for ecosystem in ecosystems_of(folder) for path in _there(ecosystem, folder)]


def _refuse_unwritable(paths: Sequence[Path]) -> None:
    """Before the clients are asked, which takes a while."""
    for path in paths:
        if not os.access(path, os.W_OK):
            raise UserError(f"{path}: may not be written; make it writable first")


def _write_all(changed: Mapping[Path, bytes]) -> None:
    """All of the files, or none: a manifest and its lock file go together."""
    before = {path: path.read_bytes() for path in changed}
    touched: list[Path] = []
    try:
        for path, content in changed.items():
            touched.append(path)
            path.write_bytes(content)
    except BaseException as error:
        for path in touched:
            with contextlib.suppress(OSError):
                path.write_bytes(before[path])
        if isinstance(error, OSError):
            raise UserError(
                f"{touched[-1]}: cannot be written: {error.strerror}; the server stays as it was"
            ) from None
        raise


def restated(text: str, packages: Sequence[Package]) -> str:
    """A `server.toml` whose `framework_version` is that of the package that had it, where this is
    clear: all packages that had that version have moved to the same one."""
    match = _FRAMEWORK.search(text)
    if match is None:
        return text
    moved = {one.newest for one in packages if _bare(one.locked) == match[2]}
    if len(moved) != 1:
        return text
    return f"{text[: match.start(2)]}{_bare(moved.pop())}{text[match.end(2) :]}"


def _still_named(text: str, packages: Sequence[Package]) -> list[str]:
    gone = {_bare(one.locked) for one in packages if one.locked}
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        numbers = set(re.findall(r"(?<![\d.])\d+(?:\.\d+)+(?![\d.]*\d)", line))
        lines += [f"line {number}: {one}" for one in sorted(gone & numbers)]
    return lines


def _bare(version: str) -> str:
    return version.removeprefix("v")
