"""Before the first trial: toolchains found, servers built; what cannot be had is left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from webdyno.catalog.servers.server import Server
from webdyno.catalog.terms.parts import ALWAYS
from webdyno.errors import UserError
from webdyno.printable import one_line
from webdyno.run.study.plan import Entry
from webdyno.runtime.builds.build import Build, PackagesOutOfReach, build
from webdyno.runtime.builds.commands import BuildError
from webdyno.runtime.builds.git import Revision, revision_of
from webdyno.runtime.other_runtimes import runtime_env
from webdyno.runtime.processes.process import LaunchError
from webdyno.runtime.toolchains import Toolchain, find
from webdyno.store.findings import ServerRecord
from webdyno.store.records import Skipped, entry_label
from webdyno.store.unmeasured_cell import UnmeasuredKind
from webdyno.trial.events import BuildFinished, BuildStarted, Listener, ServerSkipped

T = TypeVar("T")


@dataclass(frozen=True)
class ReadyServer:
    """A built server and the versions it was built with."""

    build: Build
    versions: dict[str, str]


class PreparedServers(NamedTuple):
    """Servers that were built, by their build ids, and those that could not be."""

    ready: dict[str, ReadyServer]
    skipped: list[Skipped]


def prepare(
    entries: list[Entry], builds: Path, listener: Listener, tell: bool = True
) -> PreparedServers:
    """Build every server of `entries` once. Of those left out the caller has to tell where `tell`
    is false."""
    ready: dict[str, ReadyServer] = {}
    skipped: list[Skipped] = []
    # Of those that share a build, the one that it is called after is first.
    servers: dict[str, Server] = {}
    for entry in entries:
        servers.setdefault(entry.server_variant.server.build_id, entry.server_variant.server)

    def attempt(id_: str, make: Callable[[], T]) -> T | None:
        try:
            return make()
        except (BuildError, LaunchError, MissingToolchain) as error:
            reason = str(error).removeprefix(f"{id_}: ")
            skipped.append(Skipped(server=id_, reason=reason, kind=_kind(error)))
            if tell:
                listener(ServerSkipped(server=id_, reason=reason))
            return None

    # What is missing is told before the first build, which may take minutes.
    versions = {id_: attempt(id_, partial(toolchains_of, one)) for id_, one in servers.items()}
    for id_, found in versions.items():
        if found is not None:
            built = attempt(id_, partial(_built, servers[id_], found, builds, listener))
            if built is not None:
                ready[id_] = built
    return PreparedServers(ready, skipped)


def _kind(error: Exception) -> UnmeasuredKind:
    if isinstance(error, MissingToolchain):
        return "toolchain-missing"
    return "packages-out-of-reach" if isinstance(error, PackagesOutOfReach) else "build-failed"


class MissingToolchain(Exception):
    """A program the server needs is not there, or too old; the message says how to get it."""


def prepare_server(server: Server, builds: Path, listener: Listener) -> ReadyServer:
    """Check the toolchains and build. Raises `MissingToolchain`, `BuildError`, `LaunchError`."""
    return _built(server, toolchains_of(server), builds, listener)


def toolchains_of(server: Server) -> dict[str, str]:
    """The versions of the programs that the server needs, and of their extensions as far as they
    tell. Raises `MissingToolchain`."""
    runtime = server.chosen_runtime
    provided = runtime.provides if runtime else {}
    versions: dict[str, str] = {}
    for spec in needed_toolchain(server):
        toolchain = _toolchain(spec, server)
        if not toolchain.ok:
            raise MissingToolchain(
                f"needs {spec} ({toolchain.shortfall}); {toolchain.install_hint}"
            )
        versions[toolchain.name] = toolchain.found_version or ""
        versions |= {f"{toolchain.name}: {name}": one for name, one in toolchain.extensions.items()}
    return {**versions, **provided}


def needed_toolchain(server: Server) -> list[str]:
    """What must be on the machine: what the manifest names, without what the chosen runtime
    provides, and what the runtime's installation needs."""
    runtime, named = server.chosen_runtime, server.manifest.toolchain
    if runtime is None:
        return list(named)
    kept = [spec for spec in named if spec.split()[0] not in runtime.provides]
    return list(dict.fromkeys([*kept, *runtime.toolchain]))


def _toolchain(spec: str, server: Server) -> Toolchain:
    """What is there of a program; a fault in `spec` is one of the server's manifest."""
    try:
        return find(spec)
    except UserError as error:
        where = server.folder / server.manifest_file if server.manifest_file else server.id
        raise UserError(f"{where}: key 'toolchain': {error}") from None


def _built(
    server: Server, versions: dict[str, str], builds: Path, listener: Listener
) -> ReadyServer:
    listener(BuildStarted(server=server.build_id))
    env = runtime_env(server, builds)
    built = build(server, builds, versions, env=env)
    listener(BuildFinished(server=server.build_id, seconds=built.seconds, cached=built.cached))
    framework = server.manifest.framework
    found = _noted_version(server, built) or _framework_version(server, versions)
    return ReadyServer(built, {**versions, framework: found})


def _noted_version(server: Server, built: Build) -> str:
    """What the build noted of the framework that it found, a line; empty where it noted nothing."""
    name = server.manifest.build.framework_version
    note = built.folder / name
    if not name or note.is_symlink() or not note.is_file():
        return ""
    return one_line(note.read_text(encoding="utf-8", errors="replace"))


def _framework_version(server: Server, versions: Mapping[str, str]) -> str:
    """As stated or, where the framework comes with the machine, as found there."""
    package = server.manifest.framework_package
    found_versions = [
        one for name, one in versions.items() if package and package == name.split(": ")[-1]
    ]
    return found_versions[0] if found_versions else server.manifest.framework_version


def server_record(
    entry: Entry, kinds: Collection[str] = (), versions: Mapping[str, str] | None = None
) -> ServerRecord:
    """What the manifest of the entry's server states of it, its parts as far as of `kinds`, and its
    framework's version as in `versions` where they tell; and the commit that its source is of."""
    server_variant = entry.server_variant
    manifest = server_variant.server.manifest
    stated = server_variant.server.concurrency_of(server_variant.variant)
    own = server_variant.server.commit
    revision = Revision(own) if own else revision_of(server_variant.server.folder)
    return ServerRecord(
        entry=entry.label,
        framework=manifest.framework,
        framework_version=(versions or {}).get(manifest.framework, manifest.framework_version),
        model=stated.model,
        processes=stated.processes,
        threads=stated.threads,
        pool=stated.pool,
        all_cores=_all_cores(entry),
        parts={
            kind: stated_part
            for kind, stated_part in server_variant.server.parts_of(server_variant.variant).items()
            if kind in kinds or kind in ALWAYS
        },
        commit=revision.commit,
        modified=revision.modified,
    )


def _all_cores(entry: Entry) -> str:
    """The label of the same server's variant that uses all cores; empty where this one does."""
    server = entry.server_variant.server
    variant = server.all_cores_variant(entry.server_variant.variant)
    return entry_label(server.id, variant) if variant else ""
