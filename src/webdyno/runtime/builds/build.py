"""Building servers, cached by content.

A build happens in a private copy of the server's folder, named by a digest of everything that goes
into it. A stamp is written last: a folder without one is the remains of an interrupted build, and
one whose seal is broken was changed by somebody: both are built again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from webdyno.catalog.servers.server import Server
from webdyno.printable import one_line
from webdyno.runtime.builds.artefact import artefact_bytes
from webdyno.runtime.builds.commands import LOG, BuildError, run_commands
from webdyno.runtime.builds.environment import compiles, declared_environment
from webdyno.runtime.builds.failure_lines import LOG_LINES
from webdyno.runtime.builds.hard_links import part_from_stores
from webdyno.runtime.builds.repositories import out_of_reach, unreached
from webdyno.runtime.builds.seal import seal_of
from webdyno.runtime.builds.sources import copy_files, digest_of_files, own_source_of, source_of
from webdyno.runtime.lock_file import locked
from webdyno.runtime.processes.process import tail

PERHAPS_IN_USE_S = 24 * 3600.0
"""A build used less than a day ago is kept: another run may have its servers running from it."""
MIRRORS = "go online, or point the package manager to a mirror"
_OF_FETCHING = re.compile(r"\b(fetch|clon|git command|repositor|could not resolve)", re.IGNORECASE)
"""What package managers say where they could not fetch; a compiler does not."""
_STAMP = "webdyno-build.json"
BUILD_TIMES = "webdyno-build-times.json"
"""What `build_times` keeps beside the build, by the end of its name."""
_UNSEALED = (_STAMP, BUILD_TIMES)
_OWN = (*_UNSEALED, LOG)


class PackagesOutOfReach(BuildError):
    """What the build wanted to fetch cannot be reached from here: no fault of the server's."""


@dataclass(frozen=True)
class Build:
    """A finished build. `seconds` is what the first build took, whenever that was.

    How much of that were downloads depends on what the machine had: `build_times` tells it apart.
    """

    folder: Path
    digest: str
    seconds: float
    cached: bool
    artefact_bytes: int
    seal: str = ""
    """What `seal_of` said of it when it was made."""
    env: Mapping[str, str] = field(default_factory=dict)
    """What chooses the runtime that it was built for, where that is not the machine's own."""

    def is_changed(self) -> bool:
        """Whether anything in it was changed since it was made."""
        return self.seal != seal_of(self.folder, _UNSEALED)

    def told_changed(self) -> str:
        """What to do about that."""
        return f"its build {self.folder} was modified after it was made; run again to rebuild it"

    @property
    def log(self) -> Path:
        """What the build commands printed."""
        return self.folder / LOG


def build(
    server: Server,
    builds: Path,
    toolchains: Mapping[str, str],
    env: Mapping[str, str] | None = None,
) -> Build:
    """Build `server` under `builds`, or find the build of the same content made before.

    `toolchains` (name to version) is part of the content: a new compiler means a new build. `env`
    is what chooses them, where they are not the machine's own.
    Raises `BuildError`; `PackagesOutOfReach`, which is one, where nothing is wrong but the network.
    """
    digest = digest_of(server, toolchains)
    name = cache_name(server)
    env = env or {}
    folder = builds / f"{name}-{digest[:12]}"
    builds.mkdir(parents=True, exist_ok=True)
    with locked(builds / f"{name}.lock"):
        found = _stamped(folder, digest)
        if found is not None:
            # What counts may have changed since it was built, which is no reason to build it again.
            size = artefact_bytes(folder, server.manifest.build.artefact, _OWN)
            return replace(found, artefact_bytes=size, env=env)
        shutil.rmtree(folder, ignore_errors=True)
        copy_files(source_of(server), server.folder, folder)
        manifest = server.manifest.build
        try:
            seconds = run_commands(server.id, manifest.commands, folder, build_env(server, env))
        except BuildError:
            if reason := _not_fetched(server, folder / LOG):
                reason_text = f"{server.id}: its packages cannot be fetched: {reason}; {MIRRORS}"
                reason_text += _said_last(folder / LOG)
                raise PackagesOutOfReach(f"{reason_text} ({folder / LOG})") from None
            raise
        part_from_stores(folder)
        size = artefact_bytes(folder, manifest.artefact, _OWN)
        sealed = seal_of(folder, _UNSEALED)
        done = Build(folder, digest, seconds, False, size, sealed)
        names = [str(path.relative_to(server.folder)) for path in source_of(server)]
        stamp = {
            **asdict(done),
            "folder": folder.name,
            "toolchains": dict(toolchains),
            "sources": names,
        }
        (folder / _STAMP).write_text(json.dumps(stamp), encoding="utf-8")
        _prune(builds, name, keep=2)
        return replace(done, env=env)


def cache_name(server: Server) -> str:
    """How the folders of a server's builds begin."""
    return (server.cached_as or server.build_id).replace("/", "-")


def kept_sources(server: Server, builds: Path, digest: str) -> tuple[Path, tuple[str, ...]] | None:
    """The folder of the build of `server` with that digest, and the files in it that it was built
    from; None where it is not kept, was changed since, or does not say."""
    # It may come from a file that was exported elsewhere: no way out of the folder of builds.
    if re.fullmatch("[0-9a-f]{64}", digest) is None:
        return None
    folder = builds / f"{cache_name(server)}-{digest[:12]}"
    if _stamped(folder, digest) is None:
        return None
    names = json.loads((folder / _STAMP).read_text(encoding="utf-8")).get("sources")
    return (folder, tuple(names)) if names else None


def build_env(server: Server, chosen: Mapping[str, str]) -> dict[str, str]:
    """What the build's commands are run with; `chosen` is what chooses the server's runtime."""
    runtime = server.chosen_runtime
    return {**(chosen if runtime and runtime.builds else {}), **server.manifest.build.env}


def _not_fetched(server: Server, log: Path) -> str:
    """Why packages could not be fetched; empty where the build failed at something else."""
    if reason := unreached(server.manifest.language, tail(log, LOG_LINES)):
        return reason
    repositories = server.manifest.build.repositories
    return out_of_reach(repositories) if _OF_FETCHING.search(tail(log, 5)) else ""


def _said_last(log: Path) -> str:
    """The error with which the build ended, which may know another way; empty where it has none."""
    last = one_line(tail(log, 1))
    return f"; {last.removeprefix('error: ')}" if last.startswith("error: ") else ""


def digest_of(server: Server, toolchains: Mapping[str, str]) -> str:
    """SHA-256 over every source file, the build commands, the toolchains' versions and what of the
    environment compilers heed."""
    # How its times are measured, who is asked where it fails, and where it notes a version, changes
    # nothing in what is built.
    manifest = server.manifest.build.model_dump(
        exclude={"caches", "incremental", "repositories", "also", "framework_version"}
    )
    compilers = {name: value for name, value in declared_environment().items() if compiles(name)}
    settings = [manifest, sorted(toolchains.items()), sys.version, sorted(compilers.items())]
    return digest_of_files(server.folder, own_source_of(server), settings)


def _stamped(folder: Path, digest: str) -> Build | None:
    try:
        stamp = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if stamp.get("digest") != digest or "seal" not in stamp:
        return None
    found = Build(folder, digest, stamp["seconds"], True, stamp["artefact_bytes"], stamp["seal"])
    if found.is_changed():
        return None
    os.utime(folder)  # Pruning keeps what was used last.
    return found


def _prune(builds: Path, name: str, keep: int) -> None:
    """Remove all but the `keep` builds of a server that were used last."""
    digest_length = 12
    mine = [
        path
        for path in builds.glob(f"{name}-*")
        if path.is_dir() and len(path.name) == len(name) + 1 + digest_length
    ]
    for old in sorted(mine, key=lambda path: path.stat().st_mtime, reverse=True)[keep:]:
        if time.time() - old.stat().st_mtime > PERHAPS_IN_USE_S:
            shutil.rmtree(old, ignore_errors=True)
