"""The store: runs and trials in a database, SQLite by default, any SQLAlchemy URL otherwise."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Engine, String, delete, func, select
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import Session

from webdyno.errors import UserError
from webdyno.store.reading import read_record
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.sql.database import SharedLock, connected, is_postgresql
from webdyno.store.sql.migrate import upgrade
from webdyno.store.sql.tables import RunRow, TrialRow
from webdyno.store.timings import Timing, timings

GONE_S, _LOOK_S = 60.0, 1.0
"""How long a database that was reached before is waited for, so that no trial is lost by its
restart; and how often it is looked for."""

LEAST_ATTEMPTS = 5


Row = TypeVar("Row", RunRow, TrialRow)


class Unreachable(UserError):
    """A database on another machine does not answer, or has just gone."""


@dataclass(frozen=True)
class RunListing:
    """A run as a list shows it."""

    id: str
    study: str
    started: datetime
    status: str
    trials: int
    """How many have finished."""


class Store:
    """Keeps every finished trial. One writer a run; readers may come at any moment."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._writing: dict[str, SharedLock] = {}
        """By run: the lock of its writer, which this process is."""

    @classmethod
    def open(cls, where: str | Path) -> Store:
        """Open (and make or migrate) the database at a path or SQLAlchemy URL.

        Raises `UserError` where it cannot be opened.
        """
        try:
            engine = connected(where)
            upgrade(engine)
        except (ArgumentError, NoSuchModuleError, DatabaseError, OSError) as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise UserError(
                f"store {_shown(where)}: cannot be opened: {reason}"
                f"{_room_for(reason) or '; fix that, or name ' + _instead(where, error)}"
            ) from None
        return cls(engine)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def save_run(self, run: RunRecord) -> None:
        """Insert or update a run; its trials are stored by `add_trial`."""
        document = run.model_dump(mode="json", by_alias=True, exclude={"trials"})
        row = RunRow(
            id=run.id,
            study=run.study.name,
            status=run.status,
            started=run.started,
            document=document,
        )
        self._write(lambda session: session.merge(_fitting(row)))

    def add_trial(self, trial: TrialRecord) -> None:
        """Store a finished trial, replacing one of the same run and index."""
        measured = trial.measurement
        row = TrialRow(
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
        self._write(lambda session: session.merge(_fitting(row)))

    def remove_trials(self, run_id: str, indexes: Sequence[int]) -> None:
        """Forget trials that are to be measured anew under other conditions."""
        these = delete(TrialRow).where(TrialRow.run_id == run_id, TrialRow.index.in_(indexes))
        self._write(lambda session: session.execute(these))

    @contextmanager
    def writing(self, run_id: str) -> Iterator[None]:
        """Be the only one on any machine to write this run meanwhile. Raises `UserError`; so does
        whatever is then written where another machine has gone on with the run."""
        lock = SharedLock(self._engine, run_id)
        if not lock.take():
            raise UserError(
                f"run {run_id} is under way on another machine; wait until it ends, or stop it"
            )
        self._writing[run_id] = lock
        try:
            yield
        finally:
            del self._writing[run_id]
            lock.give()

    def is_written(self, run_id: str) -> bool:
        """Whether another machine writes this run at this moment."""
        lock = SharedLock(self._engine, run_id)
        free = lock.take()
        lock.give()
        return not free

    def run(self, id_: str, study: str = "") -> RunRecord:
        """A run with its trials. `latest` is the newest, of `study` if one is given; a unique
        beginning of an id will do.

        Raises `UserError` where there is none, or more than one.
        """
        if not id_:
            raise UserError("a run's id is empty; name a run, or 'latest' for the newest")
        with self._session() as session:
            query = select(RunRow).order_by(RunRow.started.desc())
            if id_ == "latest":
                newest = query.where(_of_study(study)) if study else query
                rows = list(session.scalars(newest.limit(1)))
            else:
                rows = list(
                    session.scalars(query.where(RunRow.id.startswith(id_, autoescape=True)))
                )
            if not rows:
                if id_ == "latest":
                    which = f"no run of the study '{study}'" if study else "no run"
                    raise UserError(f"{which} is stored yet; `webdyno run` makes one")
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
            query = query.where(_of_study(study))
        with self._session() as session:
            return [_read(row, []) for row in session.scalars(query)]

    def timings(self, servers: Collection[str], fingerprint: str) -> list[Timing]:
        """What the newest good trials of `servers` took on the machine of that fingerprint."""
        with self._session() as session:
            return timings(session, servers, fingerprint)

    def listed(self, study: str | None = None) -> list[RunListing]:
        """Every run, or those of `study`, newest first, those that only another version of Webdyno
        can read included."""
        query = (
            select(
                RunRow.id, RunRow.study, RunRow.started, RunRow.status, func.count(TrialRow.index)
            )
            .outerjoin(TrialRow, TrialRow.run_id == RunRow.id)
            .group_by(RunRow.id)
            .order_by(RunRow.started.desc())
        )
        if study is not None:
            query = query.where(_of_study(study))
        with self._session() as session:
            return [RunListing(*row) for row in session.execute(query)]

    def _write(self, work: Callable[[Session], object]) -> None:
        """Do it in a transaction; a shared database that is gone is waited for. Raises as
        `_session` does."""
        until = time.monotonic() + GONE_S
        for attempt in itertools.count(1):
            try:
                with self._session() as session:
                    self._still_alone()
                    work(session)
            except Unreachable:
                # Also where this process stood still meanwhile, as on a laptop that slept.
                if time.monotonic() > until and attempt >= LEAST_ATTEMPTS:
                    raise
                time.sleep(_LOOK_S)
            else:
                return

    def _still_alone(self) -> None:
        """Raises `UserError` where another machine writes one of our runs: a database that starts
        again has lost all locks."""
        for run_id, lock in self._writing.items():
            if not lock.take():
                raise UserError(
                    f"run {run_id}: the database was restarted, and another machine has resumed "
                    "the run meanwhile; this one stops"
                )

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
            if room := _room_for(reason):
                remedy = room.removeprefix("; ")
            gone = is_postgresql(self._engine.url) and not broken
            raise (Unreachable if gone else UserError)(
                f"store {self._engine.url.render_as_string()}: {reason}; {remedy}"
            ) from None


def _of_study(name: str) -> ColumnElement[bool]:
    """Which runs are of the study `name`."""
    return RunRow.study == name[: RunRow.study.type.length]


def _fitting(row: Row) -> Row:
    """`row` with what is searched by cut to its column, which PostgreSQL insists on; the record is
    whole in `document`."""
    for column in row.__table__.columns:
        if isinstance(column.type, String):
            setattr(row, column.key, getattr(row, column.key)[: column.type.length])
    return row


def _room_for(reason: str) -> str:
    """The remedy where SQLite lacks room, or may not write: beside its file, it says no more than
    that it cannot write there."""
    if "readonly database" in reason:
        return "; let WEBDYNO_STORE name one that may be written, such as a copy"
    told = any(said in reason for said in ("disk is full", "disk I/O error"))
    return "; its disk may be full: make room there" if told else ""


def _instead(where: str | Path, error: Exception) -> str:
    """What to name instead where a store cannot be opened. A path without a scheme lies in the
    state folder: who may not write there cannot keep builds and runs there either."""
    shut = isinstance(error, OSError) or "unable to open database file" in str(error)
    if shut and "://" not in str(where):
        return "a folder that you may write to in WEBDYNO_HOME"
    return "another in WEBDYNO_STORE"


def _shown(where: str | Path) -> str:
    """`where`, without the password that a URL may hold."""
    return re.sub(r"(?<=://)([^:/@]*):[^/]*@", r"\1:***@", str(where))


def _read(row: RunRow, trials: list[dict[str, Any]]) -> RunRecord:
    version = str(row.document.get("versions", {}).get("webdyno", ""))
    return read_record(RunRecord, {**row.document, "trials": trials}, id_=row.id, version=version)
