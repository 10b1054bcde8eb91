"""Looking into a trial's MariaDB or MySQL, and changing it behind a server's back."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from webdyno.runtime.process import plain_environment
from webdyno.runtime.services.base import ServiceError, ServiceMissing, find_program

TIMEOUT_S = 60.0


class MySql:
    """Runs statements in the database that `env` (MYSQL_HOST, MYSQL_PORT, …) names.

    Each call starts the command-line client anew, which takes a few milliseconds and leaves no
    connection that would show beside the server's own. Raises `ServiceMissing` where no client is
    installed.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self._argv = [
            str(find_client()),
            "--no-defaults",
            f"--host={env['MYSQL_HOST']}",
            f"--port={env['MYSQL_PORT']}",
            f"--user={env['MYSQL_USER']}",
            "--protocol=tcp",
            "--default-character-set=utf8mb4",
            "--batch",
            "--skip-column-names",
            "--unbuffered",
            env["MYSQL_DATABASE"],
        ]
        self._env = plain_environment()
        if password := env.get("MYSQL_PASSWORD"):
            self._env["MYSQL_PWD"] = password

    def rows(self, sql: str, timeout_s: float = TIMEOUT_S) -> list[list[str]]:
        """The rows that `sql` selects, as text; texts in it go through `quoted`.

        Raises `ServiceError` with the database's own words where it refuses.
        """
        try:
            done = subprocess.run(
                self._argv,
                input=sql,
                env=self._env,
                capture_output=True,
                text=True,
                timeout=timeout_s,
            )
        except subprocess.TimeoutExpired:
            raise ServiceError(f"mariadb: no result within {timeout_s:.0f} s of: {sql}") from None
        if done.returncode != 0:
            raise ServiceError(f"mariadb: {_reason(done.stderr)}")
        return [line.split("\t") for line in done.stdout.splitlines()]

    def answers(self) -> bool:
        """Whether the database accepts our connection now."""
        try:
            return self.rows("SELECT 1", timeout_s=5.0) == [["1"]]
        except ServiceError:
            return False

    @contextmanager
    def held(self, sql: str) -> Iterator[None]:
        """Run `sql`, and keep the connection, and so its locks, for the length of the block."""
        client = subprocess.Popen(
            self._argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._env,
            text=True,
        )
        assert client.stdin is not None
        assert client.stdout is not None
        assert client.stderr is not None
        try:
            client.stdin.write(f"{sql};\nSELECT 'held';\n")
            client.stdin.flush()
            if client.stdout.readline().strip() != "held":
                client.stdin.close()
                raise ServiceError(f"mariadb: {_reason(client.stderr.read())}")
            yield
            client.stdin.close()
            client.wait(TIMEOUT_S)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            raise ServiceError("mariadb: its client was cut off") from None
        finally:
            # One that waits for a database which stands still would be waited for in vain.
            client.kill()
            client.wait()
            for pipe in (client.stdin, client.stdout, client.stderr):
                with suppress(OSError):
                    pipe.close()


def quoted(text: str) -> str:
    """`text` as a string literal of SQL."""
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _reason(said: str) -> str:
    """The database's own words; the client puts the statement before them, between two rules."""
    lines = said.strip().splitlines() or ["the client ended without a word"]
    return next((line for line in lines if line.startswith("ERROR")), lines[-1])


def find_client() -> Path:
    """The command-line client of the machine. Raises `ServiceMissing`."""
    for name in ("mariadb", "mysql"):
        if (found := find_program(name, "/usr/bin", "/usr/local/mysql/bin")) is not None:
            return found
    raise ServiceMissing(
        "the client of MariaDB is not installed; on Debian or Ubuntu: "
        "apt-get install mariadb-client, on macOS: brew install mariadb"
    )
