"""Bring a database to the newest schema."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from webdyno.errors import UserError
from webdyno.store.sql.database import alone

HEAD = "0001"
"""The newest revision; a test compares it with the migrations on disk."""


def upgrade(engine: Engine) -> None:
    """Run the migrations that `engine`'s database lacks.

    Raises `UserError` where the database was made by a newer Webdyno.
    """
    with engine.begin() as connection:
        if _current(connection) == HEAD:
            return
    with engine.begin() as connection:
        if turn := alone(engine):
            connection.exec_driver_sql(turn)
        current = _current(connection)
        if current == HEAD:
            return
        if current is not None and current > HEAD:
            raise UserError(
                f"{engine.url.render_as_string()}: made by a newer Webdyno (schema {current}); "
                "update Webdyno, or set WEBDYNO_STORE to another database"
            )
        _run(connection)


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _run(connection: Connection) -> None:
    # Imported here: Alembic costs start-up time and is needed once in a database's life.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
