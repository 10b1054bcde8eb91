"""The content of a study on its way to the machine that runs its servers: sources, as they are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.catalog.servers.server import Server
from webdyno.run.study.plan import Cell, Entry
from webdyno.runtime.builds.sources import source_files, source_of, stays_a_link


@dataclass(frozen=True)
class File:
    """A file by its path here: what it holds, or where it leads."""

    path: str
    mode: int
    data: bytes
    link: str = ""


def packed(entries: Iterable[Entry], cells: Iterable[Cell]) -> list[File]:
    """All files that `entries` are built from and `cells` checked by, as a copy of each folder on
    this machine would have them."""
    sources: dict[Path, Path] = {}
    for server in {
        one.server_variant.server.build_id: one.server_variant.server for one in entries
    }.values():
        sources.update(dict.fromkeys(source_of(server), server.folder))
        sources[server.folder / "server.toml"] = server.folder
        if server.runtime:
            folder = server.runtime_folder
            sources.update(dict.fromkeys(source_files(folder), folder))
    # A scenario may use another's files.
    for folder in {cell.scenario.folder.parent for cell in cells}:
        sources.update(dict.fromkeys(source_files(folder), folder))
    return [_file(*one) for one in sources.items() if one[0].is_symlink() or one[0].is_file()]


def _file(path: Path, source: Path) -> File:
    if stays_a_link(path, source):
        return File(str(path), 0, b"", os.readlink(path))
    return File(str(path), path.stat().st_mode & 0o777, path.read_bytes())


@dataclass(frozen=True)
class Content:
    """What was sent, below `folder`: every path as it was where it came from."""

    folder: Path

    def unpack(self, files: Iterable[File]) -> None:
        """Write the files."""
        for one in files:
            target = self.path(Path(one.path))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            if one.link:
                target.symlink_to(one.link)
            else:
                target.write_bytes(one.data)
                target.chmod(one.mode)

    def path(self, path: Path) -> Path:
        """Where it is here."""
        return self.folder / path.relative_to("/")

    def server(self, server: Server) -> Server:
        """The server with its folders here."""
        runtimes = self.path(server.runtimes) if server.runtimes else None
        return server.model_copy(update={"folder": self.path(server.folder), "runtimes": runtimes})

    def scenario(self, scenario: Scenario) -> Scenario:
        """The scenario with its folder here."""
        return scenario.model_copy(update={"folder": self.path(scenario.folder)})
