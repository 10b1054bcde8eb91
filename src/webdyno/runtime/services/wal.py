"""What PostgreSQL wrote, counted in its log: each commit and each row, and at once.

Its statistics come late, and count what a server's transactions say they are; the log is what the
database would have to live on after a crash.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter

from webdyno.runtime.processes.process import plain_environment
from webdyno.runtime.services.base import ServiceError
from webdyno.runtime.services.postgresql_programs import postgres_program
from webdyno.runtime.services.psql import TIMEOUT_S, Psql

COMMIT = "Transaction/COMMIT"
"""A transaction that wrote; subtransactions commit with it, and have no record of their own."""

# How pg_waldump calls a table, since PostgreSQL 15: its tablespace, its database and its file.
_FILE = """
    SELECT concat_ws('/', coalesce(nullif(reltablespace, 0), dattablespace), d.oid,
        pg_relation_filenode(c.oid))
    FROM pg_class c, pg_database d
    WHERE c.oid = (:'table')::regclass AND datname = current_database()
        AND current_setting('server_version_num')::int >= 150000
"""

_LINE = re.compile(r"^(\w+/\w+)(?:\+\w+)?\s+(\d+)\s", re.MULTILINE)


def position(psql: Psql) -> str:
    """Where the log ends now. Raises `ServiceError`."""
    [[found]] = psql.rows("SELECT pg_current_wal_insert_lsn()")
    return found


def written_since(psql: Psql, begin: str, table: str | None = None) -> Counter[str]:
    """Records by kind, such as `COMMIT`, from `begin` to now; only those that name a `table` of the
    verifier's where one is given (before PostgreSQL 15, those of any table).

    Raises `ServiceError`.
    """
    rows = psql.rows(
        # Commits may not wait for the log; this one does, and so for all before it.
        "BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_logical_emit_message(true, '', '');"
        " COMMIT; SELECT pg_current_wal_flush_lsn(); SHOW data_directory;"
    )
    [end], [folder] = rows[-2:]
    files = [] if table is None else [file for [file] in psql.rows(_FILE, table=table)]
    if psql.is_elsewhere:
        # By the database itself: the log is on its machine.
        parts = files[0].split("/") if files else [0, 0, 0]
        of = dict(zip(("space", "base", "file"), parts, strict=True))
        call = "SELECT log.dump(:'begin', :'end', :space, :base, :file)"
        lines = psql.rows(call, begin=begin, end=end, **of)
        return counted("\n".join(line for [line] in lines))
    argv = [
        str(postgres_program().with_name("pg_waldump")),
        *("--path", f"{folder}/pg_wal", "--start", begin, "--end", end, "--stats=record"),
        *(f"--relation={file}" for file in files),
    ]
    try:
        done = subprocess.run(
            argv, env=plain_environment(), capture_output=True, text=True, timeout=TIMEOUT_S
        )
    except FileNotFoundError:
        raise ServiceError(
            f"{argv[0]} is missing; install the complete PostgreSQL server"
        ) from None
    except subprocess.TimeoutExpired:
        raise ServiceError(f"pg_waldump: no result within {TIMEOUT_S:.0f} s") from None
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["it gave no reason"])[0]
        raise ServiceError(f"pg_waldump: {said}")
    return counted(done.stdout)


def counted(text: str) -> Counter[str]:
    """What `pg_waldump --stats=record` says of each kind; those that begin a page count as others
    of their kind."""
    found: Counter[str] = Counter()
    for kind, count in _LINE.findall(text):
        found[kind] += int(count)
    return found
