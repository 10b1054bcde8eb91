"""The statements that PostgreSQL is sent under load, and what each of them reads.

PostgreSQL counts rows and look-ups, not statements: whether each row was asked for by itself shows
in what its connections are seen to run at random moments. What a statement reads is told by the
planner, not by its words.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from webdyno.runtime.services.base import ServiceError
from webdyno.runtime.services.psql import Psql

LOOKS, APART_S = 16, 0.002
"""Looks at each random moment, and the time between them."""
_MOST_JUDGED = 64
"""Statements that are looked at closely: an honest server has a few, which differ in numbers."""

_SCHEMA = "public"
"""Of the verifiers' tables."""
_LAST = f"""
    SELECT pg_sleep({APART_S});
    SELECT pid, query_start, query FROM pg_stat_activity
    WHERE usename = :'user' AND datname = current_database() AND query_start > :'began';
    SELECT 'held', count(*) FROM pg_stat_activity
    WHERE usename = :'user' AND datname = current_database();
"""
_SHOWN = "SELECT setting FROM pg_settings WHERE name = 'track_activity_query_size'"
_CUT_BYTES = 4
"""By so much a text that is not shown to its end is the shorter where it would end in the midst of
a character."""
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
    # The names in them are the verifier's, whatever else a server has given them to meanwhile.
    " -c search_path=public"
)
# Of a small table one row is looked up by reading all of it, unless that is forbidden.
_BY_INDEX = " -c enable_seqscan=off -c enable_bitmapscan=off"
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
# What reads a table and hands over all of it: an ORM may write `OFFSET 0`, which is a limit.
_OF_ALL_ROWS = {
    "Gather",
    "Gather Merge",
    "Incremental Sort",
    "Index Only Scan",
    "Index Scan",
    "Limit",
    "LockRows",
    "Seq Scan",
    "Sort",
    "Subquery Scan",
}
# Of each statement another one, where a library writes the id of a trace into it.
_COMMENT = re.compile(r"/\*(?:(?!/\*).)*?\*/", re.DOTALL)
# Where a semicolon ends no statement, besides.
_LINE = re.compile(r"--[^\n]*")
_OPAQUE = re.compile(r"[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$", re.DOTALL)
_CONDITIONS = ("Filter", "Index Cond", "One-Time Filter")
# Before the dot is the table's name or alias, which PostgreSQL quotes where it has capitals.
_ORDER = re.compile(r"(?: COLLATE \S+)?(?: DESC)?(?: NULLS (?:FIRST|LAST))?$")
_OF_THE_SYSTEM = {"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"}
_COLUMN = re.compile(r"""(?:(?:\w+|"[^"]+")\.)?(\w+|"[^"]+")""")
# The same without the parentheses around it, and perhaps of another type, as a driver may want it.
_BARE = re.compile(
    rf"{_COLUMN.pattern}"
    r"""(?:\)*::(?:[\w .]|"[^"]+")+(?:\(\d+(?:,\s*\d+)?)?(?:\)[\w ]*)?(?:\[\])*)?"""
)
# What names no column: texts, and types.
_LITERAL = re.compile(r"'(?:[^']|'')*'|::\w+")
_NAME = re.compile(r"""\w+|(?<=")[^"]+(?=")|\.\*""")
_COLUMNS = """
    SELECT attname FROM pg_attribute
    WHERE attrelid = (:'table')::regclass AND attnum > 0 AND NOT attisdropped
"""
_BY_KEY = re.compile(r"""\((?:(?:\w+|"[^"]+")\.)?id = (?!ANY\b).*\)""")


class Reads(Enum):
    """What a statement reads of a table: of several in one text, what comes last here counts."""

    NOTHING = "nothing"
    ROW = "one row, by its key"
    WHOLE = "all rows, as they are"
    WRITES = "rows that it writes"
    MADE = "what the database makes of a row"
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
    """What else one of them was, to be told of; "" where there was none."""
    whole: int = 0
    """Those that read all rows and hand over the columns that are wanted, as they are."""


class Statements:
    """The statements that the servers' user, by the variables that servers get, has PostgreSQL run
    on a table: one of which single rows are wanted, by its primary key, the column `id`; or one of
    which all rows are, with at least these `columns`, and in no order by those `unsorted`."""

    def __init__(
        self,
        services: Mapping[str, str],
        table: str,
        columns: Sequence[str] = (),
        unsorted: Sequence[str] = (),
    ) -> None:
        self._services, self._table = services, table
        self._columns, self._unsorted = frozenset(columns), frozenset(unsorted)
        self._names: frozenset[str] = frozenset()
        self._seen: dict[tuple[str, str], str] = {}
        self._began = "-infinity"
        self._longest = math.inf
        self.held: list[int] = []
        """The connections that servers held at each look, at the fewest."""

    def begin(self, psql: Psql) -> None:
        """Forget what was seen, and see only statements that begin from now on; `psql` is the
        owner's. Raises `ServiceError`."""
        self._seen.clear()
        self.held.clear()
        [[shown]] = psql.rows(_SHOWN)
        self._longest = int(shown) - _CUT_BYTES
        self._names = frozenset(name for [name] in psql.rows(_COLUMNS, table=self._table))
        [[self._began]] = psql.rows("SELECT clock_timestamp()")

    def look(self, psql: Psql) -> None:
        """See what each connection runs, or ran last; `psql` is the owner's. Raises
        `ServiceError`."""
        user = self._services["PGUSER"]
        held = []
        for row in psql.rows(_LAST * LOOKS, user=user, began=self._began):
            if len(row) == 3:
                pid, since, text = row
                self._seen[pid, since] = text
            elif len(row) == 2:
                held.append(int(row[1]))
        self.held.append(min(held))

    def sent_together(self, most: int) -> str:
        """One of the texts seen that holds more than so many statements on the table; "" where
        there is none."""
        name = re.compile(rf"\b{re.escape(self._table)}\b")
        for text in self._seen.values():
            code = _LINE.sub(" ", _OPAQUE.sub("''", _COMMENT.sub(" ", text)))
            if sum(name.search(part) is not None for part in code.split(";")) > most:
                return text
        return ""

    def told(self) -> StatementsSeen:
        """What was seen. Raises `ServiceError` where PostgreSQL cannot be asked."""
        known: dict[str, Reads] = {}
        texts: dict[Reads, list[str]] = {reads: [] for reads in Reads}
        options = _HARMLESS if self._columns else _HARMLESS + _BY_INDEX
        with Psql({**self._services, "PGOPTIONS": options}) as psql:
            for written in self._seen.values():
                if self._is_cut(written):
                    # Nobody needs so long a text for a row; what it reads stands in the rest of it.
                    texts[Reads.ROWS].append(written)
                    continue
                text = _COMMENT.sub(" ", written)
                like = re.sub(r"\d+", "0", text)
                if like not in known:
                    few = len(known) < _MOST_JUDGED
                    known[like] = self._reads(psql, text) if few else Reads.UNKNOWN
                texts[known[like]].append(text)
        number = len(self._seen) - len(texts[Reads.NOTHING])
        several = next(iter(texts[Reads.ROWS]), "")
        others = texts[Reads.MADE] + texts[Reads.UNKNOWN] + texts[Reads.WRITES]
        if self._columns:
            others = texts[Reads.ROWS] + texts[Reads.ROW] + others
        another = f"; another was: {others[0]}" if others else ""
        single, whole = len(texts[Reads.ROW]), len(texts[Reads.WHOLE])
        return StatementsSeen(single, number, several, another, whole)

    def _is_cut(self, text: str) -> bool:
        """Whether PostgreSQL shows no more of it than its beginning."""
        return len(text.encode()) >= self._longest

    def _reads(self, psql: Psql, text: str) -> Reads:
        """What is read by a text, which may hold several statements."""
        # Each is planned alone: after another it would be run.
        found = [self._reads_one(psql, one) for one in text.split(";")]
        of_table = [reads for reads in found if reads is not Reads.NOTHING]
        rows = of_table.count(Reads.ROW) + of_table.count(Reads.MADE)
        if rows > 1 or of_table.count(Reads.WHOLE) > 1:
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
        table = _TableRead(self._table, self._names, self._columns, self._unsorted)
        return _of_plan(nodes, table)


class _TableRead(NamedTuple):
    """The table that statements are on, and what is wanted of it: see `Statements`."""

    name: str
    names: frozenset[str] = frozenset()
    """All of its columns'."""
    columns: frozenset[str] = frozenset()
    unsorted: frozenset[str] = frozenset()

    def is_read_by(self, node: Mapping[str, Any]) -> bool:
        """Whether a part of a plan reads it, and not one of its name in a schema of a server's."""
        return node.get("Relation Name") == self.name and node.get("Schema", _SCHEMA) == _SCHEMA


def _nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)


def _of_plan(nodes: list[Mapping[str, Any]], table: _TableRead) -> Reads:
    of_table = [node for node in nodes if table.is_read_by(node)]
    if not of_table:
        return Reads.NOTHING
    if any(node["Node Type"] == "ModifyTable" for node in nodes):
        return Reads.WRITES
    if table.columns and len(of_table) == 1 and _hands_over(nodes, table):
        return Reads.WHOLE
    looks = [node.get("Index Cond", "") for node in of_table]
    simple = {node["Node Type"] for node in nodes} <= _OF_ONE_ROW
    if not (simple and len(looks) == 1 and _BY_KEY.fullmatch(looks[0])):
        return Reads.ROWS
    return Reads.MADE if _is_made(nodes, table.names) else Reads.ROW


def _hands_over(nodes: list[Mapping[str, Any]], table: _TableRead) -> bool:
    """Whether all rows come, with these columns as they are: no condition leaves any out, and
    nothing is put in their place, such as a sum that tells whether they have changed, or beside
    them, such as what a program is to make of them. Nor are they ordered by what tells that of the
    first of many, such as the age of a row."""
    kinds = {node["Node Type"] for node in nodes}
    if kinds - _OF_ALL_ROWS or any(one in node for node in nodes for one in _CONDITIONS):
        return False
    keys = [_ORDER.sub("", key) for node in nodes for key in node.get("Sort Key", ())]
    if "Limit" in kinds and None in map(_column_of, keys):
        return False
    if _is_made(nodes, table.names) or any(table.unsorted & _mentioned(key) for key in keys):
        return False
    for node in nodes:
        # In a subquery another column may be given the name of one that is wanted.
        renamed = " ".join(node.get("Output", ())) if "Subquery Scan" in kinds else ""
        if _OF_THE_SYSTEM & _mentioned(renamed):
            return False
        if (table.is_read_by(node) or node is nodes[0]) and not table.columns <= _handed(node):
            return False
    return True


def _handed(node: Mapping[str, Any]) -> set[str | None]:
    """The columns that a part of a plan hands over as they are."""
    return set(map(_column_of, node.get("Output", ())))


def _is_made(nodes: list[Mapping[str, Any]], names: frozenset[str]) -> bool:
    """Whether the database makes something of the table's columns, by these `names`, such as a
    text of JSON or HTML, instead of handing them over."""
    terms = (term for node in nodes for term in node.get("Output", ()))
    others = (term for term in terms if not _BARE.fullmatch(term.strip("()")))
    return any(_mentioned(term) & {".*", *names} for term in others)


def _mentioned(term: str) -> set[str]:
    """The names in a term of a plan, and ".*" where all columns of a row are meant."""
    return set(_NAME.findall(_LITERAL.sub("", term)))


def _column_of(term: str) -> str | None:
    """The column of the table that a term of a plan is, as it is; None where it is none."""
    found = _COLUMN.fullmatch(term)
    name = found[1].strip('"') if found else None
    return None if name in _OF_THE_SYSTEM else name
