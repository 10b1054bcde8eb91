"""How long builds take: cold, clean and incremental, where the study asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from webdyno.catalog.servers.server import Server
from webdyno.run.preparation.servers import ReadyServer
from webdyno.run.study.plan import Entry
from webdyno.runtime.builds.build import Build
from webdyno.runtime.builds.commands import BuildError
from webdyno.runtime.builds.times import BuildTimes, build_times, seconds_to_time
from webdyno.runtime.processes.process import LaunchError
from webdyno.store.records import BuildTimesRecord, RunRecord
from webdyno.trial.events import BuildFinished, BuildStarted, Listener, Noted

MOST = 0.5
"""Of the budget: what timing builds may take beside it unless it was asked for by hand."""


MeasureBuilds = Callable[
    [list[Entry], Mapping[str, ReadyServer], Path, Listener], list[BuildTimesRecord]
]


def with_build_times(
    run: RunRecord,
    entries: list[Entry],
    ready: Mapping[str, ReadyServer],
    temporary: Path,
    listener: Listener,
    *,
    budget_s: float | None,
    measure: MeasureBuilds,
) -> None:
    """Give `run` its build times, or a note where they take too long for `budget_s`."""
    needed = sum(seconds_to_time(one.build) for one in ready.values())
    if budget_s is None or needed <= MOST * budget_s:
        run.build_times = measure(entries, ready, temporary, listener)
        return
    message = (
        f"builds are not timed: that would take about {needed:.0f} s with a budget of "
        f"{budget_s:.0f} s; --build-times times them anyway"
    )
    if message not in run.notes:  # Already there where a run goes on.
        run.notes.append(message)
    listener(Noted(text=message))


def measure_builds(
    entries: list[Entry], ready: Mapping[str, ReadyServer], temporary: Path, listener: Listener
) -> list[BuildTimesRecord]:
    """How long each built server of `entries` takes to build: cold, clean, incremental.

    A build that fails when it is repeated leaves its times empty, with the reason as their note.
    """
    found: list[BuildTimesRecord] = []
    servers = {
        entry.server_variant.server.build_id: entry.server_variant.server for entry in entries
    }
    for id_, server in servers.items():
        if id_ not in ready:
            continue
        build = ready[id_].build
        begin = time.monotonic()
        listener(BuildStarted(server=id_, timed=True))
        ways = ("", *server.manifest.build.also)
        found += [_timed(server, build, temporary, way) for way in ways]
        seconds = time.monotonic() - begin
        listener(BuildFinished(server=id_, seconds=seconds, cached=False, timed=True))
    return found


def _timed(server: Server, build: Build, temporary: Path, way: str) -> BuildTimesRecord:
    times, note = BuildTimes(), ""
    try:
        times = build_times(server, build, temporary, way=way)
    except (BuildError, LaunchError) as error:
        note = f"not measured: {error}"
    changed = server.manifest.build.incremental
    return BuildTimesRecord(
        server=f"{server.build_id} ({way})" if way else server.build_id,
        **asdict(times),
        changed_file=changed.file if changed else "",
        artefact_bytes=None if way else build.artefact_bytes,  # Of what is run.
        note=note or _not_built(server),
    )


def _not_built(server: Server) -> str:
    """Why a kind of build has no times; empty where all have."""
    manifest = server.manifest.build
    if not manifest.commands:
        return "nothing to build: the source runs as it is"
    missing = []
    if not manifest.caches.downloads:
        missing.append("cold: its manifest names no folder of downloads")
    if manifest.incremental is None:
        missing.append("incremental: a changed file runs as it is")
    return "; ".join(missing)
