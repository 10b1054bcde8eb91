"""What the database has counted: lookups, and who asked for them."""

from __future__ import annotations

from typing import NamedTuple

from webdyno.runtime.services.mysql import MySql, quoted

_COUNTED = ("Com_select", "Questions", "Handler_read_key", "Handler_read_rnd_next")
# What runs statements that nobody sent. MySQL knows no compound statements and no packages.
_PROGRAMS = (
    "Com_compound_sql", "Com_call_procedure", "Com_create_procedure", "Com_create_function",
    "Com_create_package", "Com_create_trigger", "Com_create_event",
)  # fmt: skip


class Work(NamedTuple):
    """What it did since it was started, for all that is connected to it; told at once."""

    selects: int
    """SELECTs run, also those within programs."""
    sent: int
    """Statements that clients sent: a program counts once, whatever it runs. So does the execution
    of a prepared statement; to prepare it does not count."""
    by_index: int
    """Rows read by an index."""
    in_scans: int
    """Rows read in a scan."""
    programs: int
    """Compound statements and calls, and procedures, functions, triggers and events created."""

    @classmethod
    def of(cls, database: MySql) -> Work:
        """As it is now. Raises `ServiceError`."""
        listed = ",".join(map(quoted, (*_COUNTED, *_PROGRAMS)))
        rows = database.rows(f"SHOW GLOBAL STATUS WHERE Variable_name IN ({listed})")
        found = {name: int(value) for name, value in rows}
        return cls(
            *(found[name] for name in _COUNTED),
            programs=sum(found.get(name, 0) for name in _PROGRAMS),
        )
