"""Before the first trial: toolchains found, servers built; what cannot be had is left out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from webdyno.catalog.server import Server
from webdyno.run.plan import Entry
from webdyno.runtime.build import Build, BuildError, build
from webdyno.runtime.process import LaunchError
from webdyno.runtime.toolchains import find
from webdyno.store.records import Skipped
from webdyno.trial.plan import Listener


@dataclass(frozen=True)
class Ready:
    """A built server and the versions it was built with."""

    build: Build
    versions: dict[str, str]


def prepare(
    entries: list[Entry], builds: Path, listener: Listener
) -> tuple[dict[str, Ready], list[Skipped]]:
    """Build every server of `entries` once; gives them by server id, and those left out."""
    ready: dict[str, Ready] = {}
    skipped: list[Skipped] = []
    servers = {entry.contender.server.id: entry.contender.server for entry in entries}
    for id_, server in servers.items():
        try:
            ready[id_] = prepare_server(server, builds, listener)
        except (BuildError, LaunchError, MissingToolchain) as error:
            skipped.append(Skipped(server=id_, reason=str(error)))
            listener("server_skipped", server=id_, reason=str(error))
    return ready, skipped


class MissingToolchain(Exception):
    """A program the server needs is not there, or too old; the message says how to get it."""


def prepare_server(server: Server, builds: Path, listener: Listener, force: bool = False) -> Ready:
    """Check the toolchains and build. Raises `MissingToolchain`, `BuildError`, `LaunchError`."""
    versions: dict[str, str] = {}
    for spec in server.manifest.toolchain:
        found = find(spec)
        if not found.ok:
            have = f"found {found.found_version}" if found.found_version else "not found"
            raise MissingToolchain(f"needs {spec} ({have}); {found.install_hint}")
        versions[found.name] = found.found_version or ""
    listener("build_started", server=server.id)
    built = build(server, builds, versions, force=force)
    listener("build_finished", server=server.id, seconds=built.seconds, cached=built.cached)
    framework = server.manifest.framework
    return Ready(built, {**versions, framework: server.manifest.framework_version})
