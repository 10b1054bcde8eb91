"""Looking into a trial's PostgreSQL, and changing it behind a server's back, with `psql`."""

from __future__ import annotations

import csv
import os
import subprocess
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

from webdyno.runtime.ports import LOOPBACK
from webdyno.runtime.processes.process import plain_environment
from webdyno.runtime.services.base import ServiceError, ServiceMissing, find_program
from webdyno.runtime.services.postgresql_programs import postgres_program

TIMEOUT_S = 60.0
SEED_TIMEOUT_S = 120.0


class Psql:
    """Runs statements in the database that `env` (PGHOST, PGPORT, PGUSER, PGDATABASE) names.

    Each call starts psql anew, which takes a few milliseconds and leaves no connection that would
    show beside the server's own. Raises `ServiceMissing` where psql is not installed.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self._program = find_psql()
        self._env = {**plain_environment(), **env}

    @property
    def is_elsewhere(self) -> bool:
        """Whether the database is on another machine."""
        return self._env.get("PGHOST", LOOPBACK) != LOOPBACK

    def rows(self, sql: str, **values: object) -> list[list[str]]:
        """The rows that `sql` selects, as text. `:'name'` in it is a value of `values`, quoted.

        Raises `ServiceError` with the database's own words where it refuses.
        """
        argv = [str(self._program), "-X", "-w", "-q", "-t", "--csv", "-v", "ON_ERROR_STOP=1"]
        # From standard input, because psql fills in values there and not in `--command`.
        argv += [part for name, value in values.items() for part in ("-v", f"{name}={value}")]
        try:
            done = subprocess.run(
                argv, input=sql, env=self._env, capture_output=True, text=True, timeout=TIMEOUT_S
            )
        except subprocess.TimeoutExpired:
            raise ServiceError(f"psql: no result within {TIMEOUT_S:.0f} s of: {sql}") from None
        if done.returncode != 0:
            said = (done.stderr.strip().splitlines() or ["it gave no reason"])[0]
            raise ServiceError(f"psql: {said}")
        return list(csv.reader(StringIO(done.stdout)))

    def run_file(self, file: Path) -> None:
        """Run the statements of `file`, such as a dump's.

        Raises `ServiceError` with the line and the database's own words where it refuses.
        """
        argv = [str(self._program), "-X", "-w", "-q", "-o", os.devnull, "-v", "ON_ERROR_STOP=1"]
        try:
            done = subprocess.run(
                [*argv, "-f", file.name],
                cwd=file.parent,
                stdin=subprocess.DEVNULL,
                env=self._env,
                capture_output=True,
                text=True,
                timeout=SEED_TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            raise ServiceError(f"{file.name}: not done within {SEED_TIMEOUT_S:.0f} s") from None
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines() or ["it gave no reason"]
            said = next((line for line in lines if "ERROR:" in line), lines[-1])
            raise ServiceError(said.removeprefix("psql:"))


def find_psql() -> Path:
    """The psql beside the server, else another of the machine's. Raises `ServiceMissing`."""
    # Beside the server first: what Debian has on PATH is a script that looks for it there.
    beside = postgres_program().with_name("psql")
    if os.access(beside, os.X_OK):
        return beside
    if (found := find_program("psql")) is not None:
        return found
    raise ServiceMissing(
        "psql is not installed; on Debian or Ubuntu: apt-get install postgresql-client, "
        "on macOS: brew install postgresql"
    )
