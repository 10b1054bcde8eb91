"""The store: runs and trials in a database, SQLite by default, any SQLAlchemy URL otherwise."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, delete, event, func, select
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import Session

from webdyno.errors import UserError
from webdyno.store.migrate import upgrade
from webdyno.store.reading import read_record
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.tables import RunRow, TrialRow
from webdyno.store.timings import Timing, timings

BUSY_S = 30.0
"""How long a file that another process writes to at the moment is waited for."""


@dataclass(frozen=True)
class Listed:
    """A run as a list shows it."""

    id: str
    study: str
    started: datetime
    status: str
    trials: int
    """How many have finished."""


class Store:
    """Keeps every finished trial. One writer at a time; readers may come at any moment."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def open(cls, where: str | Path) -> Store:
        """Open (and make or migrate) the database at a path or SQLAlchemy URL.

        Raises `UserError` where it cannot be opened.
        """
        url = str(where) if "://" in str(where) else f"sqlite:///{where}"
        try:
            if url.startswith("sqlite:///"):
                Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
            sqlite = url.startswith("sqlite")
            engine = create_engine(url, connect_args={"timeout": BUSY_S} if sqlite else {})
            if sqlite:
                event.listen(engine, "connect", _survive_a_kill)
            upgrade(engine)
        except (ArgumentError, NoSuchModuleError, DatabaseError, OSError) as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise UserError(f"store {_shown(where)}: cannot be opened: {reason}") from None
        return cls(engine)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def save_run(self, run: RunRecord) -> None:
        """Insert or update a run; its trials are stored by `add_trial`."""
        document = run.model_dump(mode="json", exclude={"trials"})
        with self._session() as session:
            session.merge(
                RunRow(
                    id=run.id,
                    study=str(run.study.get("name", "")),
                    status=run.status,
                    started=run.started,
                    document=document,
                )
            )

    def add_trial(self, trial: TrialRecord) -> None:
        """Store a finished trial, replacing one of the same run and index."""
        measured = trial.measurement
        with self._session() as session:
            session.merge(
                TrialRow(
                    run_id=trial.run_id,
                    index=trial.index,
                    server=trial.server,
                    variant=trial.variant,
                    scenario=trial.scenario,
                    load=trial.load,
                    block=trial.block,
                    status=trial.status,
                    throughput_rps=measured.throughput_rps if measured else None,
                    document=trial.model_dump(mode="json"),
                )
            )

    def remove_trials(self, run_id: str, indexes: Sequence[int]) -> None:
        """Forget trials that are to be measured anew under other conditions."""
        with self._session() as session:
            session.execute(
                delete(TrialRow).where(TrialRow.run_id == run_id, TrialRow.index.in_(indexes))
            )

    def run(self, id_: str) -> RunRecord:
        """A run with its trials. `latest` is the newest; a unique beginning of an id will do.

        Raises `UserError` where there is none, or more than one.
        """
        with self._session() as session:
            query = select(RunRow).order_by(RunRow.started.desc())
            if id_ == "latest":
                rows = list(session.scalars(query.limit(1)))
            else:
                rows = list(
                    session.scalars(query.where(RunRow.id.startswith(id_, autoescape=True)))
                )
            if not rows:
                raise UserError(f"no run '{id_}'; `webdyno list runs` lists them")
            exact = [row for row in rows if row.id == id_] or rows
            if len(exact) > 1:
                raise UserError(f"'{id_}' matches {len(exact)} runs; give more characters")
            trials = session.scalars(
                select(TrialRow).where(TrialRow.run_id == exact[0].id).order_by(TrialRow.index)
            )
            return _read(exact[0], [row.document for row in trials])

    def runs(self, study: str | None = None) -> list[RunRecord]:
        """All runs, newest first, without their trials."""
        query = select(RunRow).order_by(RunRow.started.desc())
        if study is not None:
            query = query.where(RunRow.study == study)
        with self._session() as session:
            return [_read(row, []) for row in session.scalars(query)]

    def timings(self, servers: Collection[str], fingerprint: str) -> list[Timing]:
        """What the newest good trials of `servers` took on the machine of that fingerprint."""
        return timings(self._engine, servers, fingerprint)

    def listed(self) -> list[Listed]:
        """Every run, newest first, those that only another version of Webdyno can read included."""
        query = (
            select(
                RunRow.id, RunRow.study, RunRow.started, RunRow.status, func.count(TrialRow.index)
            )
            .outerjoin(TrialRow, TrialRow.run_id == RunRow.id)
            .group_by(RunRow.id)
            .order_by(RunRow.started.desc())
        )
        with self._session() as session:
            return [Listed(*row) for row in session.execute(query)]

    @contextmanager
    def _session(self) -> Iterator[Session]:
        """A transaction. Raises `UserError` where the database cannot be used; that its disk is
        full goes up as it is."""
        try:
            with Session(self._engine) as session, session.begin():
                yield session
        except DatabaseError as error:
            reason = str(error.orig).splitlines()[0]
            if type(error) not in (DatabaseError, OperationalError) or "full" in reason:
                raise
            broken = type(error) is DatabaseError
            remedy = "restore it from a copy or move it away" if broken else "try again"
            raise UserError(
                f"store {self._engine.url.render_as_string()}: {reason}; {remedy}"
            ) from None


def _shown(where: str | Path) -> str:
    """`where`, without the password that a URL may hold."""
    return re.sub(r"(?<=://)([^:/@]*):[^/]*@", r"\1:***@", str(where))


def _read(row: RunRow, trials: list[dict[str, Any]]) -> RunRecord:
    version = str(row.document.get("versions", {}).get("webdyno", ""))
    return read_record(RunRecord, {**row.document, "trials": trials}, id_=row.id, version=version)


def _survive_a_kill(connection: object, _record: object) -> None:
    # WAL with full sync: a trial that was stored stays stored when the process is killed.
    cursor = connection.cursor()  # type: ignore[attr-defined]
    until = time.monotonic() + BUSY_S
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            # For this alone SQLite does not wait: another process makes the file at the moment.
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()
