"""Looking into a trial's MariaDB or MySQL, and changing it behind a server's back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from webdyno.runtime.services.base import ServiceError

TIMEOUT_S = 60.0
SEED_TIMEOUT_S = 120.0

WHERE = "database"
"""What errors begin with: it is MariaDB or MySQL, whichever is installed."""


class MySql:
    """Runs statements in the database that `env` (MYSQL_HOST, MYSQL_PORT, …) names.

    Each call makes a connection of its own, so that none shows beside the server's in between.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env

    def rows(self, sql: str, timeout_s: float = TIMEOUT_S) -> list[list[str]]:
        """The rows that the statements in `sql` select, one after the other, as text; texts in it
        go through `quoted`.

        Raises `ServiceError` with the database's own words where it refuses.
        """
        with self._connected(sql, timeout_s) as connection:
            return _run(connection, sql)

    def run_file(self, file: Path) -> None:
        """Run the statements of `file`. Raises `ServiceError`, as `rows` does."""
        try:
            self.rows(file.read_text(encoding="utf-8"), SEED_TIMEOUT_S)
        except ServiceError as error:
            raise ServiceError(f"{file.name}: {str(error).removeprefix(f'{WHERE}: ')}") from None

    def answers(self) -> bool:
        """Whether the database accepts our connection now."""
        try:
            return self.rows("SELECT 1", timeout_s=5.0) == [["1"]]
        except ServiceError:
            return False

    @contextmanager
    def held(self, sql: str) -> Iterator[None]:
        """Run `sql`, and keep the connection, and so its locks, for the length of the block.

        Raises `ServiceError`, also where the connection was lost meanwhile.
        """
        with self._connected(sql, TIMEOUT_S) as connection:
            _run(connection, sql)
            yield
            connection.ping(reconnect=False)

    @contextmanager
    def _connected(self, sql: str, timeout_s: float) -> Iterator[Any]:
        """A connection for `sql`; what the driver raises becomes a `ServiceError`."""
        # Imported when first used: a look for what is installed has no need of it.
        import pymysql  # type: ignore[import-untyped]
        from pymysql.constants import CLIENT  # type: ignore[import-untyped]

        connection = None
        try:
            connection = pymysql.connect(
                host=self._env["MYSQL_HOST"],
                port=int(self._env["MYSQL_PORT"]),
                user=self._env["MYSQL_USER"],
                password=self._env.get("MYSQL_PASSWORD", ""),
                database=self._env["MYSQL_DATABASE"],
                charset="utf8mb4",
                client_flag=CLIENT.MULTI_STATEMENTS,
                # As the server has it: to say it anew is a statement, and those are counted.
                autocommit=None,
                ssl_disabled=True,  # On the loopback; to read the certificates takes 20 ms.
                conv={},  # Everything as the text that it came as.
                connect_timeout=max(1, round(timeout_s)),
                read_timeout=timeout_s,
                write_timeout=timeout_s,
            )
            yield connection
        except pymysql.err.MySQLError as error:
            if isinstance(error.__context__, TimeoutError):
                raise ServiceError(
                    f"{WHERE}: no result within {timeout_s:.0f} s of: {sql}"
                ) from None
            raise ServiceError(f"{WHERE}: ERROR {': '.join(map(str, error.args))}") from None
        finally:
            if connection is not None:
                with suppress(pymysql.err.Error):  # One that was cut off is closed already.
                    connection.close()


def _run(connection: Any, sql: str) -> list[list[str]]:
    found: list[list[str]] = []
    with connection.cursor() as cursor:
        cursor.execute(sql)
        more = True
        while more:
            found += [[_text(value) for value in row] for row in cursor.fetchall()]
            more = cursor.nextset()
    return found


def _text(value: str | bytes | None) -> str:
    if value is None:
        return "NULL"
    return value if isinstance(value, str) else value.decode("utf-8", "replace")


def quoted(text: str) -> str:
    """`text` as a string literal of SQL."""
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
