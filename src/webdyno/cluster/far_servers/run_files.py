"""What a trial leaves in its run's folder, on its way from the server's machine to the head's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from webdyno.cluster.far_servers.far_worker import WorkerFailure


def files_in(folder: Path) -> dict[str, bytes]:
    """The files below `folder` by their paths from there."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def keep_in(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write what a machine sent home. Raises `WorkerFailure` for what it would put outside of
    `folder`."""
    for name, data in files.items():
        target = folder / name
        if not target.resolve().is_relative_to(folder.resolve()):
            raise WorkerFailure(f"it sent a file for {name}, which is outside of the run's folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
