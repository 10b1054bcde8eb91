"""The statements that PostgreSQL is sent under load, and what each of them reads.

PostgreSQL counts rows and look-ups, not statements: whether each row was asked for by itself shows
in what its connections are seen to run at random moments. What a statement reads is told by the
planner, not by its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, NamedTuple

from webdyno.runtime.services.base import ServiceError
from webdyno.runtime.services.psql import Psql

LOOKS, APART_S = 16, 0.002
"""Looks at each random moment, and the time between them."""
_MOST_JUDGED = 64
"""Statements that are looked at closely: an honest server has a few, which differ in numbers."""

_LAST = f"""
    SELECT pg_sleep({APART_S});
    SELECT pid, query_start, query FROM pg_stat_activity
    WHERE usename = :'user' AND datname = current_database() AND query_start > :'began';
"""
_PLAN = r"""
    SELECT 'PREPARE seen AS ' || :'text' \gexec
    SELECT format('EXPLAIN (VERBOSE, FORMAT JSON) EXECUTE seen%s',
        '(' || nullif(array_to_string(array_fill('NULL'::text,
            ARRAY[cardinality(parameter_types)]), ', '), '') || ')')
    FROM pg_prepared_statements WHERE name = 'seen' \gexec
    DEALLOCATE seen;
"""
# The statements are a stranger's: they are planned with no more rights than a server has, and any
# of them that should be run writes nothing.
_HARMLESS = (
    "-c default_transaction_read_only=on -c statement_timeout=5s"
    " -c plan_cache_mode=force_generic_plan"
)
# What begins so, perhaps after comments, reads no table.
_CONTROL = re.compile(
    r"(?is)(?:\s|--[^\n]*|/\*.*?\*/)*+(?:$|(?:begin|start|commit|end|rollback|abort|savepoint"
    r"|release|set|reset|show|discard|deallocate|listen|unlisten|prepare)\b)"
)
# What a look-up of one row by its key may be made of: nothing that runs a part of it repeatedly.
_OF_ONE_ROW = {
    "Aggregate",
    "Index Scan",
    "Index Only Scan",
    "Limit",
    "LockRows",
    "Result",
    "Sort",
    "Subquery Scan",
    "Unique",
}
# Before the dot is the table's name or alias, which PostgreSQL quotes where it has capitals.
_BY_KEY = re.compile(r"""\((?:(?:\w+|"[^"]+")\.)?id = (?!ANY\b).*\)""")


class Reads(Enum):
    """What a statement reads of a table: of several in one text, what comes last here counts."""

    NOTHING = "nothing"
    ROW = "one row, by its key"
    WRITES = "rows that it writes"
    UNKNOWN = "what nobody can tell"
    ROWS = "rows"


class StatementsSeen(NamedTuple):
    """What the statements seen under load were."""

    single: int
    """Those that read one row, by its key."""
    number: int
    """Those that read or wrote rows of the table, or may have."""
    several: str
    """One that read several rows; "" where none did."""
    another: str
    """What else one of them was, to be told of; "" where all read one row."""


class Statements:
    """The statements that the servers' user, by the variables that servers get, has PostgreSQL run
    on a table whose primary key is its column `id`."""

    def __init__(self, services: Mapping[str, str], table: str) -> None:
        self._services, self._table = services, table
        self._seen: dict[tuple[str, str], str] = {}
        self._began = "-infinity"

    def begin(self, psql: Psql) -> None:
        """Forget what was seen, and see only statements that begin from now on. Raises
        `ServiceError`."""
        self._seen.clear()
        [[self._began]] = psql.rows("SELECT clock_timestamp()")

    def look(self, psql: Psql) -> None:
        """See what each connection runs, or ran last; `psql` is the owner's. Raises
        `ServiceError`."""
        user = self._services["PGUSER"]
        for row in psql.rows(_LAST * LOOKS, user=user, began=self._began):
            if len(row) == 3:
                pid, since, text = row
                self._seen[pid, since] = text

    def told(self) -> StatementsSeen:
        """What was seen. Raises `ServiceError` where PostgreSQL cannot be asked."""
        known: dict[str, Reads] = {}
        texts: dict[Reads, list[str]] = {reads: [] for reads in Reads}
        with Psql({**self._services, "PGOPTIONS": _HARMLESS}) as psql:
            for text in self._seen.values():
                like = re.sub(r"\d+", "0", text)
                if like not in known:
                    few = len(known) < _MOST_JUDGED
                    known[like] = self._reads(psql, text) if few else Reads.UNKNOWN
                texts[known[like]].append(text)
        number = len(self._seen) - len(texts[Reads.NOTHING])
        several = next(iter(texts[Reads.ROWS]), "")
        others = texts[Reads.UNKNOWN] + texts[Reads.WRITES]
        another = f"; another was: {others[0]}" if others else ""
        return StatementsSeen(len(texts[Reads.ROW]), number, several, another)

    def _reads(self, psql: Psql, text: str) -> Reads:
        """What is read by a text, which may hold several statements."""
        # Each is planned alone: after another it would be run.
        found = [self._reads_one(psql, one) for one in text.split(";")]
        of_table = [reads for reads in found if reads is not Reads.NOTHING]
        if of_table.count(Reads.ROW) > 1:
            return Reads.ROWS
        return max(of_table, key=list(Reads).index, default=Reads.NOTHING)

    def _reads_one(self, psql: Psql, statement: str) -> Reads:
        if _CONTROL.match(statement):
            return Reads.NOTHING
        # Where it cannot be asked at all, that says nothing of the statement.
        psql.rows("SELECT 1")
        try:
            [[told]] = psql.rows(_PLAN, text=statement)
            nodes = list(_nodes(json.loads(told)[0]["Plan"]))
        except (ServiceError, ValueError):
            return Reads.UNKNOWN
        return _of_plan(nodes, self._table)


def _nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)


def _of_plan(nodes: list[Mapping[str, Any]], table: str) -> Reads:
    of_table = [node for node in nodes if node.get("Relation Name") == table]
    if not of_table:
        return Reads.NOTHING
    if any(node["Node Type"] == "ModifyTable" for node in nodes):
        return Reads.WRITES
    looks = [node.get("Index Cond", "") for node in of_table]
    simple = {node["Node Type"] for node in nodes} <= _OF_ONE_ROW
    alone = simple and len(looks) == 1 and _BY_KEY.fullmatch(looks[0])
    return Reads.ROW if alone else Reads.ROWS
