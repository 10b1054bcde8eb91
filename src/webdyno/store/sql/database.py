"""The database behind a store: a SQLite file, or one that several machines share, by its URL."""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from webdyno.errors import UserError

BUSY_S = 30.0
"""How long a file that another process writes to at the moment is waited for."""

CONNECT_S = 10
"""How long a database on another machine may take to take a connection."""

_POSTGRESQL = ("postgresql", "postgres")
_MIGRATING = 0x77656264796E6F
"""The number of the lock under which a PostgreSQL database is migrated; any one would do."""


class DriverMissing(UserError):
    """What speaks with that kind of database is not installed."""


def connected(where: str | Path) -> Engine:
    """The database at a path or SQLAlchemy URL, which need not be there yet.

    Raises `DriverMissing`, and SQLAlchemy's own errors for what is no URL of a database.
    """
    if "://" not in str(where):
        Path(where).parent.mkdir(parents=True, exist_ok=True)
        return _sqlite(URL.create("sqlite", database=str(where)))
    url = make_url(str(where))
    if url.get_backend_name() == "sqlite":
        if url.query.get("mode") == "ro":
            return create_engine(url)
        if url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        return _sqlite(url)
    if url.drivername in _POSTGRESQL:
        url = url.set(drivername="postgresql+psycopg")
    try:
        if is_postgresql(url):
            # One that the database has closed meanwhile, as by its restart, is replaced.
            patience = {"connect_timeout": CONNECT_S}
            return create_engine(
                url, connect_args=patience, pool_pre_ping=True, json_serializer=strict_json
            )
        return create_engine(url, pool_pre_ping=True, json_serializer=strict_json)
    except ModuleNotFoundError as missing:
        remedy = f"install the Python package '{missing.name}'"
        if is_postgresql(url):
            remedy = (
                "pip install 'webdyno[postgresql]' (in a checkout: .webdyno/venv/bin/pip install "
                "--require-hashes -r requirements-postgresql.lock)"
            )
        raise DriverMissing(
            f"a store in {url.get_backend_name()} needs its driver, which is an extra; {remedy}"
        ) from None


def strict_json(value: Any) -> str:
    """JSON that every database takes: what is infinite, or no number, is a text that records read
    as that figure."""
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(_spelled(value), allow_nan=False)


def _spelled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _spelled(value) for key, value in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled(value) for value in value]
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(value)
    return value


def read_only(file: Path) -> str:
    """The URL by which a SQLite file is read where neither it nor its folder may be written."""
    # Without its log, which is there only while somebody writes or after a kill, SQLite must be
    # told that it needs none: it would make one.
    log = file.with_name(f"{file.name}-wal")
    unlogged = "" if log.exists() and log.stat().st_size else "&immutable=1"
    place = quote(quote(str(file.absolute())))  # Once for SQLite, once for SQLAlchemy.
    return f"sqlite:///file:{place}?mode=ro{unlogged}&uri=true"


def is_postgresql(url: URL) -> bool:
    """Whether several machines may share it."""
    return url.get_backend_name() in _POSTGRESQL


def alone(engine: Engine, number: int = _MIGRATING) -> str:
    """The statement that lets one transaction at a time go on; empty where none is needed."""
    if engine.dialect.name == "sqlite":
        # All of it or nothing, however it ends, and by one process: SQLite's driver would
        # commit each statement that changes the schema.
        return "BEGIN IMMEDIATE"
    return f"SELECT pg_advisory_xact_lock({number})" if is_postgresql(engine.url) else ""


class SharedLock:
    """The lock `name` of a database that machines share. The database holds it for as long as one
    connection lives, and so gives it back when this process ends, but also when it starts again
    itself. Where no other machine can reach the database, it is always ours."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine, self._given = engine, {"name": name}
        self._connection: Connection | None = None
        self._backend: str | None = None
        """Who serves our connection, or did: its process, and when the database was started, since
        ids of processes come again."""

    def take(self) -> bool:
        """Whether it is ours: still, now, or again. Raises SQLAlchemy's errors where the database
        is out of reach."""
        if not is_postgresql(self._engine.url) or self._is_held():
            return True
        self._close(lost=True)
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            if connection.execute(text(_TAKE), self._given).scalar():
                self._backend = connection.execute(text(_BACKEND)).scalar_one()
                self._connection = connection
                return True
            # Where our connection was cut on the way, the database may not know it yet.
            holder = connection.execute(text(_HOLDER), self._given).scalar()
            return self._backend is not None and holder == self._backend
        except DBAPIError:
            connection.invalidate()  # It may hold the lock.
            raise
        finally:
            if connection is not self._connection:
                connection.close()

    def give(self) -> None:
        """Let go of it, if it is ours."""
        with contextlib.suppress(Exception):  # The database may be gone, and the lock with it.
            if self._connection is not None:
                self._connection.execute(text(_GIVE), self._given)
        self._close()

    def _is_held(self) -> bool:
        if self._connection is None:
            return False
        try:  # A connection that is lost may be replaced unasked: by another one.
            return bool(self._connection.execute(text(_BACKEND)).scalar() == self._backend)
        except DBAPIError:
            return False

    def _close(self, *, lost: bool = False) -> None:
        """Give the connection back, or end one that is `lost`, with whatever it still holds."""
        if self._connection is not None:
            with contextlib.suppress(Exception):
                if lost:
                    self._connection.invalidate()
                self._connection.close()
        self._connection = None


_TAKE = "SELECT pg_try_advisory_lock(hashtextextended(:name, 0))"
_GIVE = "SELECT pg_advisory_unlock(hashtextextended(:name, 0))"
_BACKEND = "SELECT pg_backend_pid() || '@' || extract(epoch FROM pg_postmaster_start_time())"
_HOLDER = """\
SELECT pid || '@' || extract(epoch FROM pg_postmaster_start_time()) FROM pg_locks
WHERE locktype = 'advisory' AND granted AND objsubid = 1
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND ((CAST(classid AS bigint) << 32) | CAST(objid AS bigint)) = hashtextextended(:name, 0)
"""


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_S}, json_serializer=strict_json)
    event.listen(engine, "connect", _survive_a_kill)
    return engine


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
