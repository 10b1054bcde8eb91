"""Looking into a trial's PostgreSQL, and changing it behind a server's back, with `psql`.

No client library does it: psql stands beside every PostgreSQL server, in the same version, and it
runs all that `pg_dump` writes, rows for COPY and commands of psql's own among it. A library would
be one more dependency for everybody, with compiled parts.
"""

from __future__ import annotations

import contextlib
import csv
import os
import secrets
import selectors
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import IO

from webdyno.runtime.ports import LOOPBACK
from webdyno.runtime.processes.process import plain_environment
from webdyno.runtime.services.base import ServiceError, ServiceMissing, find_program
from webdyno.runtime.services.postgresql_programs import postgres_program

TIMEOUT_S = 60.0
SEED_TIMEOUT_S = 120.0
_END_TIMEOUT_S = 1.0
_PIECE_BYTES = 65_536


class Psql:
    """Runs statements in the database that `env` (PGHOST, PGPORT, PGUSER, PGDATABASE) names.

    One psql serves all calls, from any thread, and is told everything by standard input: a command
    line can be read by every server, and a new process would tell one that a change is coming. It
    is started by the first call and ends with `close`, or with the object; the next call starts
    another, as after an error. Raises `ServiceMissing` where psql is not installed.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self._program = find_psql()
        self._env = {**plain_environment(), **env}
        self._lock = threading.Lock()
        self._session: _Session | None = None

    @property
    def is_elsewhere(self) -> bool:
        """Whether the database is on another machine."""
        return self._env.get("PGHOST", LOOPBACK) != LOOPBACK

    def rows(self, sql: str, **values: object) -> list[list[str]]:
        """The rows that `sql` selects, as text. `:'name'` in it is a value of `values`, quoted.

        Raises `ServiceError` with the database's own words where it refuses.
        """
        with self._lock:
            if self._session is None:
                self._session = _Session(self._program, self._env)
            try:
                return list(csv.reader(StringIO(self._session.ask(sql, values))))
            except BaseException:
                # It has ended, or what it still says belongs to a question that was given up.
                self._end()
                raise

    def close(self) -> None:
        """End its psql; PostgreSQL then counts all that was done by it."""
        with self._lock:
            self._end()

    def __enter__(self) -> Psql:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _end(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.end()

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


class _Session:
    """A psql that runs and waits for statements."""

    def __init__(self, program: Path, env: Mapping[str, str]) -> None:
        errors = tempfile.TemporaryFile()  # noqa: SIM115 (it is open as long as psql runs)
        process = subprocess.Popen(
            [str(program), "-X", "-w", "-q", "-t", "--csv", "-v", "ON_ERROR_STOP=1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=env,
            bufsize=0,
            # An interrupt is for us to handle; in another session it would pass for a server's.
            process_group=0,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        os.set_blocking(process.stdin.fileno(), False)
        self._in, self._out = process.stdin, process.stdout
        self._process, self._errors = process, errors
        self.end = weakref.finalize(self, _end, process, errors)
        """Ends it; also called when nothing refers to it any more."""

    def ask(self, sql: str, values: Mapping[str, object]) -> str:
        """What it prints for these statements. Raises `ServiceError`."""
        # Where the caller may run: changes under load take nothing from the server.
        with contextlib.suppress(OSError):
            os.sched_setaffinity(self._process.pid, os.sched_getaffinity(0))
        mark = f"end-of-{secrets.token_hex(8)}"
        lines = [f"\\set {name} {_argument(value)}" for name, value in values.items()]
        lines.append(sql if sql.rstrip().endswith(";") else f"{sql}\n;")
        lines += [f"\\unset {name}" for name in values]
        script = "\n".join([*lines, f"\\echo {mark}", ""])
        end = f"{mark}\n".encode()
        said = self._talk(script.encode(), end, sql)
        if said is None:
            raise ServiceError(f"psql: {self._why()}")
        return said.removesuffix(end).decode()

    def _talk(self, script: bytes, end: bytes, sql: str) -> bytes | None:
        """What it prints, up to `end`, when it reads `script`; None where it ends before."""
        output, left = bytearray(), memoryview(script)
        ends = time.monotonic() + TIMEOUT_S
        with selectors.DefaultSelector() as ready:
            ready.register(self._out, selectors.EVENT_READ)
            ready.register(self._in, selectors.EVENT_WRITE)
            while not output.endswith(end):
                if (wait_s := ends - time.monotonic()) <= 0:
                    raise ServiceError(f"psql: no result within {TIMEOUT_S:.0f} s of: {sql}")
                for key, _ in ready.select(wait_s):
                    if key.fileobj is self._out:
                        piece = os.read(self._out.fileno(), _PIECE_BYTES)
                        if not piece:
                            return None
                        output += piece
                        continue
                    # Where it has ended it reads no more; the end of its output tells.
                    with contextlib.suppress(BrokenPipeError):
                        left = left[os.write(self._in.fileno(), left[:_PIECE_BYTES]) :]
                        if left:
                            continue
                    ready.unregister(self._in)
        return bytes(output)

    def _why(self) -> str:
        """The first line of what it says of its end."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_TIMEOUT_S)
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        # What it noted before it ended is no reason.
        failed = (line for line in lines if any(word in line for word in ("ERROR:", "FATAL:")))
        return next(failed, lines[0] if lines else "it gave no reason")


def _end(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    """End a psql, which leaves when its input does, and close what is shared with it."""
    assert process.stdin is not None
    assert process.stdout is not None
    for file in (process.stdin, process.stdout, errors):
        file.close()
    # It may wait for the database: an interrupt has that give up, too.
    for further in (signal.SIGINT, signal.SIGKILL):
        try:
            process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.send_signal(further)
    process.wait()


def _argument(value: object) -> str:
    """`value` as one argument of a command of psql's, which ends with its line."""
    text = str(value).replace("\\", "\\\\").replace("'", "''")
    return "'" + text.replace("\n", "\\n").replace("\r", "\\r") + "'"
