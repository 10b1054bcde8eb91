"""The record of a run: begun, timed, and closed however the run ends."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from webdyno.catalog.studies.study import StudyManifest
from webdyno.redaction import printed_command
from webdyno.run.bench import observe
from webdyno.run.bench.bench import HERE, Bench
from webdyno.run.preparation.servers import ReadyServer
from webdyno.run.record.unmeasured_cells import unmeasured_cells
from webdyno.run.record.writer import others_under_way
from webdyno.runtime.home import Home
from webdyno.store.hardware import StoredMachine
from webdyno.store.records import RunRecord, RunStatus, TrialRecord, now
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy
from webdyno.trial.events import Listener, Noted, RunFinished


def new_run(
    study: StudyManifest, home: Home, command: str | None, bench: Bench = HERE, board: str = ""
) -> RunRecord:
    """The record of a run that begins now, with its folder; the machine is looked at. `board` is
    the scenario of the board that it is a piece of."""
    started = now()
    id_ = f"{started:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
    folder = home.runs / id_
    folder.mkdir(parents=True)
    looking = time.monotonic()
    seen = bench.machine()
    return RunRecord(
        id=id_,
        study=StoredStudy.of(study),
        command=command or printed_command(["./webdyno", *sys.argv[1:]]),
        started=started,
        machine=StoredMachine.model_validate(seen.model_dump(mode="json")),
        step_seconds={"noise": round(time.monotonic() - looking, 3)},
        versions=observe.versions(),
        machines=bench.machines(),
        board=board,
        folder=str(folder),
    )


@contextmanager
def timed(run: RunRecord, step: str) -> Iterator[None]:
    """Add what happens meanwhile to the run's time for `step`."""
    began = time.monotonic()
    try:
        yield
    finally:
        spent = run.step_seconds.get(step, 0.0) + time.monotonic() - began
        run.step_seconds[step] = round(spent, 3)


@contextmanager
def closing(run: RunRecord, store: Store, listener: Listener) -> Iterator[None]:
    """Whatever ends the run, its record says how, and what was measured is kept."""
    status: RunStatus = "failed"
    try:
        yield
        status = "finished"
    except KeyboardInterrupt:
        status = "interrupted"
        run.notes.append("interrupted by the user")
    finally:
        run.status, run.finished = status, now()
        run.absent = unmeasured_cells(run)
        store.save_run(run)
        listener(RunFinished(run=run))


@contextmanager
def telling_of_others(run: RunRecord, listener: Listener) -> Iterator[None]:
    """Say, at the beginning and at the end, which other runs take this machine's CPU meanwhile."""
    _tell_of_others(run, listener)
    yield
    _tell_of_others(run, listener)


def _tell_of_others(run: RunRecord, listener: Listener) -> None:
    for other in others_under_way(run):
        note = f"run {other} was under way on this machine too: each disturbed the other"
        if note not in run.notes:
            run.notes.append(note)
            listener(Noted(text=note))


def merged_versions(ready: dict[str, ReadyServer]) -> dict[str, str]:
    """Of all toolchains that the servers were built with."""
    merged: dict[str, str] = {}
    for id_, one in ready.items():
        _, _, runtime = id_.partition("@")
        for name, version in one.versions.items():
            # Servers on another runtime than the machine's own have another version of it.
            other = runtime and merged.get(name, version) != version
            merged[f"{name} ({runtime})" if other else name] = version
    return merged


def seconds_of(trials: list[TrialRecord]) -> float:
    """Wall time of the trials together."""
    return sum(trial.took_s for trial in trials)
