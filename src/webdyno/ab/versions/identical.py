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
        "A and B are built of the same files and started alike, so any difference is chance: if "
        "something sets them apart, git ignores it, or it lies outside this folder; run ab in the "
        "folder that holds all of it"
    )
