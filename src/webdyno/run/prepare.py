"""Before the first trial: toolchains found, servers built; what cannot be had is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from webdyno.catalog.server import Server
from webdyno.run.plan import Entry
from webdyno.runtime.build import Build, BuildError, build
from webdyno.runtime.build_times import BuildTimes, build_times
from webdyno.runtime.process import LaunchError
from webdyno.runtime.toolchains import find
from webdyno.store.findings import ServerRecord
from webdyno.store.records import BuildTimesRecord, Skipped
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


def measure_builds(
    entries: list[Entry], ready: Mapping[str, Ready], temporary: Path, listener: Listener
) -> list[BuildTimesRecord]:
    """How long each built server of `entries` takes to build: cold, clean, incremental.

    A build that fails when it is repeated leaves its times empty, with the reason as their note.
    """
    found: list[BuildTimesRecord] = []
    servers = {entry.contender.server.id: entry.contender.server for entry in entries}
    for id_, server in servers.items():
        if id_ not in ready:
            continue
        build, manifest = ready[id_].build, server.manifest.build
        listener("build_started", server=f"{id_} again, to time it")
        times, note = BuildTimes(), ""
        try:
            times = build_times(server, build, temporary)
        except (BuildError, LaunchError) as error:
            note = f"not measured: {error}"
        listener("build_finished", server=id_, seconds=build.seconds, cached=True)
        found.append(
            BuildTimesRecord(
                server=id_,
                **asdict(times),
                changed_file=manifest.incremental.file if manifest.incremental else "",
                artefact_bytes=build.artefact_bytes,
                note=note or _not_built(server),
            )
        )
    return found


def _not_built(server: Server) -> str:
    """Why a kind of build has no times; empty where all have."""
    manifest = server.manifest.build
    if not manifest.commands:
        return "nothing is built: the source is run as it is"
    missing = []
    if not manifest.caches.downloads:
        missing.append("cold: its tool's downloads cannot be put aside")
    if manifest.incremental is None:
        missing.append("incremental: a changed file is run as it is")
    return "; ".join(missing)


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


def server_record(entry: Entry) -> ServerRecord:
    """What the manifest of the entry's server states of it."""
    contender = entry.contender
    manifest = contender.server.manifest
    stated = contender.server.concurrency_of(contender.variant)
    return ServerRecord(
        entry=entry.label,
        framework=manifest.framework,
        framework_version=manifest.framework_version,
        **stated.model_dump(),
    )
