"""How long a build takes: cold, clean, and after one line has changed.

Measured on private copies of the source, never on the build that the trials use, and kept beside
that build, so that the same content is measured once on a machine.

- cold: nothing downloaded, nothing compiled; once, because it is the network that it measures.
- clean: dependencies downloaded, nothing compiled, a fresh copy of the source.
- incremental: right after a clean build, one comment line more at the top of one source file. It
  moves every line below it, so that compilers which compare contents have something to do. The
  first repetition adds one line, the second two, and so on: no result can be one seen before.

Clean and incremental builds are repeated: three times, or twice where one takes minutes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from webdyno.catalog.servers.server import Server
from webdyno.runtime.builds.build import BUILD_TIMES, Build, build_env
from webdyno.runtime.builds.commands import run_commands
from webdyno.runtime.builds.sources import copy_source
from webdyno.runtime.lock_file import locked

REPETITIONS = 3

LONG_S = 240.0
"""Seconds from which a clean build is long: a third one would tell less than its time is worth."""

REPETITIONS_OF_LONG = 2


@dataclass(frozen=True)
class BuildTimes:
    """Seconds of each build; see the module for what the three kinds are.

    `cold_s` is None where the manifest names no cache of downloads, `incremental_s` empty where
    it names no file to change.
    """

    cold_s: float | None = None
    clean_s: list[float] = field(default_factory=list)
    incremental_s: list[float] = field(default_factory=list)


def build_times(
    server: Server, build: Build, temporary: Path, repetitions: int = REPETITIONS, way: str = ""
) -> BuildTimes:
    """Measure the builds of `server`, or find what was measured of the same content before.

    `build` is the finished one, whose making has downloaded the dependencies; `temporary` is where
    the private copies are made and removed. `way` names one of the manifest's other ways to build
    it, in place of the usual one. Raises `BuildError`.
    """
    if not server.manifest.build.commands:
        return BuildTimes()
    if way:
        server = server.built_as(way)
    key = _key(server, build, way)
    path = build.folder / (f"{way}-{BUILD_TIMES}" if way else BUILD_TIMES)
    name = f"{server.manifest.language}-{server.manifest.name}"
    with locked(build.folder.parent / f"{name}.lock"):
        times = _read(path, key, repetitions)
        if times is None:
            work = temporary / f"build-times-{build.folder.name}"
            try:
                times = _measure(server, work, repetitions, build_env(server, build.env))
            finally:
                shutil.rmtree(work, ignore_errors=True)
            path.write_text(json.dumps({"key": key, **asdict(times)}), encoding="utf-8")
        return times


def seconds_to_time(build: Build) -> float:
    """About how long `build_times` takes: a cold build and the clean ones, or nothing where the
    times are kept."""
    kept = (build.folder / BUILD_TIMES).is_file()
    return 0.0 if kept else (1 + REPETITIONS) * build.seconds


def _measure(server: Server, work: Path, repetitions: int, chosen: Mapping[str, str]) -> BuildTimes:
    manifest = server.manifest.build
    downloads = work / "downloads"
    env = {**chosen, **_caches(manifest.caches.downloads, downloads)}
    cold: float | None = None
    if manifest.caches.downloads:
        cold = _clean(server, work, "cold", env)
        shutil.rmtree(work / "cold", ignore_errors=True)
    clean: list[float] = []
    incremental: list[float] = []
    for turn in range(repetitions):
        if turn >= _enough(clean, repetitions):
            break
        name = f"clean-{turn}"
        clean.append(_clean(server, work, name, env))
        if manifest.incremental is not None:
            incremental.append(_incremental(server, work, name, env, lines=turn + 1))
        shutil.rmtree(work / name, ignore_errors=True)
    return BuildTimes(cold, clean, incremental)


def _clean(server: Server, work: Path, name: str, env: Mapping[str, str]) -> float:
    folder = work / name / "source"
    copy_source(server.folder, folder)
    return run_commands(
        server.id, server.manifest.build.commands, folder, _with_compiled(server, work, name, env)
    )


def _incremental(
    server: Server, work: Path, name: str, env: Mapping[str, str], lines: int
) -> float:
    manifest = server.manifest.build
    changed = manifest.incremental
    assert changed is not None
    folder = work / name / "source"
    path = folder / changed.file
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{changed.comment} A line more.\n" * lines + text, encoding="utf-8")
    commands = changed.commands or manifest.commands
    return run_commands(server.id, commands, folder, _with_compiled(server, work, name, env))


def _with_compiled(server: Server, work: Path, name: str, env: Mapping[str, str]) -> dict[str, str]:
    caches = server.manifest.build.caches.compiled
    return {**env, **_caches(caches, work / name / "compiled")}


def _caches(variables: Mapping[str, str], folder: Path) -> dict[str, str]:
    if variables:
        folder.mkdir(parents=True, exist_ok=True)
    return {name: value.replace("${CACHE}", str(folder)) for name, value in variables.items()}


def _key(server: Server, build: Build, way: str) -> str:
    manifest = server.manifest.build.model_dump(include={"caches", "incremental"})
    # The digest holds the commands of the usual way.
    other = [way, server.manifest.build.commands] if way else []
    text = json.dumps([build.digest, manifest, *other], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _read(path: Path, key: str, repetitions: int) -> BuildTimes | None:
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    clean = held["clean_s"]
    if held.pop("key", "") != key or len(clean) < _enough(clean, repetitions):
        return None
    return BuildTimes(**held)


def _enough(clean: Sequence[float], repetitions: int) -> int:
    """How many repetitions there shall be, by what the clean builds took so far."""
    long = bool(clean) and clean[0] > LONG_S
    return min(repetitions, REPETITIONS_OF_LONG) if long else repetitions
