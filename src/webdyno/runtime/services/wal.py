"""What PostgreSQL wrote, by its log: each row, and each commit that it is part of, and at once.

Its statistics come late, and count what a server's transactions say they are; the log is what the
database would have to live on after a crash.
"""

from __future__ import annotations

import re
import signal
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

from webdyno.runtime.processes.process import plain_environment
from webdyno.runtime.services.base import ServiceError
from webdyno.runtime.services.postgresql_programs import postgres_program
from webdyno.runtime.services.psql import TIMEOUT_S, Psql

WalKind = Literal["Heap", "Transaction"]
"""Records of the log: of rows, and of the ends of transactions."""


class _Stretch(NamedTuple):
    """A part of the log, and the table that is looked for in it."""

    begin: str
    end: str
    folder: str
    table: str
    """How pg_waldump calls it: its tablespace, its database and its file."""
    by_table: bool
    """Whether pg_waldump can look for a table by itself, as since PostgreSQL 15."""


_TABLE = """
    SELECT concat_ws('/', coalesce(nullif(reltablespace, 0), dattablespace), d.oid,
            pg_relation_filenode(c.oid)),
        current_setting('server_version_num')::int >= 150000
    FROM pg_class c, pg_database d
    WHERE c.oid = (:'table')::regclass AND datname = current_database()
"""

_WROTE_WHAT = "desc: (?:INSERT|UPDATE|HOT_UPDATE)"
_WROTE = re.compile(rf" tx:\s*(\d+),.* {_WROTE_WHAT}\b.*?blkref #0: rel (\S+) ")
_COMMITTED = re.compile(r" tx:\s*(\d+),.* desc: COMMIT\b.*?(?:; subxacts:((?: \d+)+)|$)")


def position(psql: Psql) -> str:
    """Where the log ends now. Raises `ServiceError`."""
    [[found]] = psql.rows("SELECT pg_current_wal_insert_lsn()")
    return found


def committed_since(psql: Psql, begin: str, table: str) -> list[int]:
    """The rows of `table`, a verifier's, that each transaction inserted or updated which wrote
    something and committed from `begin` to now; a subtransaction's are those of its transaction.

    Raises `ServiceError`.
    """
    *_, [end], [folder] = psql.rows(
        # Commits may not wait for the log; this one does, and so for all before it.
        "BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_logical_emit_message(true, '', '');"
        " COMMIT; SELECT pg_current_wal_flush_lsn(); SHOW data_directory;"
    )
    [[file, by_table]] = psql.rows(_TABLE, table=table)
    stretch = _Stretch(begin, end, folder, file, by_table == "t")
    rows = _rows_written(_records(psql, "Heap", stretch), file)
    return list(_committed(_records(psql, "Transaction", stretch), rows))


def _rows_written(lines: Iterator[str], table: str) -> Counter[str]:
    """Rows of `table` by the transaction or subtransaction that wrote them, whatever became of
    it."""
    wrote = filter(None, map(_WROTE.search, lines))
    return Counter(found[1] for found in wrote if found[2] == table)


def _committed(lines: Iterator[str], rows: Counter[str]) -> Iterator[int]:
    for found in filter(None, map(_COMMITTED.search, lines)):
        yield sum(rows[one] for one in (found[1], *(found[2] or "").split()))


def _records(psql: Psql, kind: WalKind, of: _Stretch) -> Iterator[str]:
    """Lines of pg_waldump. Raises `ServiceError`."""
    if psql.is_elsewhere:
        # By the database itself: the log is on its machine.
        space, base, file = of.table.split("/") if of.by_table else (0, 0, 0)
        lines = psql.rows(
            "SELECT line FROM log.records(:'begin', :'end', :rows, :space, :base, :file) AS line"
            " WHERE line ~ :'wanted'",
            wanted=_WROTE_WHAT if kind == "Heap" else "desc: COMMIT",
            begin=of.begin, end=of.end, rows=kind == "Heap", space=space, base=base, file=file,
        )  # fmt: skip
        yield from (line for [line] in lines)
        return
    argv = [
        str(postgres_program().with_name("pg_waldump")),
        *("--path", f"{of.folder}/pg_wal", "--start", of.begin, "--end", of.end),
        *("--rmgr", kind),
        *(("--relation", of.table) if of.by_table and kind == "Heap" else ()),
    ]
    # Line by line: a long load's are more than memory or a temporary folder may have room for.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        try:
            running = subprocess.Popen(
                argv,
                env=plain_environment(),
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                errors="replace",
            )
        except FileNotFoundError:
            raise ServiceError(
                f"{argv[0]} is missing; install the complete PostgreSQL server"
            ) from None
        late = threading.Timer(TIMEOUT_S, running.kill)
        late.start()
        try:
            with running:
                assert running.stdout is not None
                yield from running.stdout
        finally:
            late.cancel()
        if running.returncode == -signal.SIGKILL:
            raise ServiceError(f"pg_waldump: no result within {TIMEOUT_S:.0f} s")
        if running.returncode != 0:
            errors.seek(0)
            said = (errors.read().strip().splitlines() or ["it gave no reason"])[0]
            raise ServiceError(f"pg_waldump: {said}")
