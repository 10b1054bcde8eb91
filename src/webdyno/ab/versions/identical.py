"""Versions that are called differently, and are the same in all that ab builds and starts."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.ab.versions.version import Version
from webdyno.catalog.servers.server import Server
from webdyno.runtime.builds.build import Build


def identical_versions(
    versions: tuple[Version, Version], servers: Sequence[Server], builds: Sequence[Build]
) -> str:
    """That both versions are built of the same files and started alike, in a sentence; empty where
    they are not, or were meant to be.

    A build sees its own folder alone: of a larger repository, two commits may differ elsewhere.
    """
    one, other = versions
    if one.folder == other.folder or (one.commit and one.commit == other.commit):
        return ""
    a, b = ((server.manifest.run, server.runtime) for server in servers)
    if a != b or builds[0].digest != builds[1].digest:
        return ""
    return (
        "A and B are built from the same files and started in the same way, so any difference is "
        "chance; if they should differ, what sets them apart is ignored by git, or lies outside "
        "this folder: then run ab in a folder that contains it"
    )
