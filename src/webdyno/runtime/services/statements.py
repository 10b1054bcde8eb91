"""The statements that PostgreSQL is sent under load, and what each of them reads.

PostgreSQL counts rows and look-ups, not statements: whether each row was asked for by itself shows
in what its connections are seen to run at random moments. What a statement reads is told by the
planner, not by its words.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from random import SystemRandom
from typing import NamedTuple

from webdyno.runtime.services.base import ServiceError
from webdyno.runtime.services.by_settings import row_by_setting, rows_by_setting
from webdyno.runtime.services.plans import Reads, TableRead, nodes_of, of_plan
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.sql_text import names, without_comments, without_texts

LOOKS, APART_S = 16, 0.002
"""Looks at each random moment, and the time between them."""
_MOST_JUDGED = 64
"""Statements that are looked at closely, of more so many drawn by lot: an honest server has few,
which differ in numbers."""
_LOT = SystemRandom()

_LAST = f"""
    SELECT pg_sleep({APART_S});
    SELECT pid, query_start, query FROM pg_stat_activity
    WHERE usename = :'user' AND datname = current_database() AND query_start > :'began';
    SELECT 'held', count(*) FROM pg_stat_activity
    WHERE usename = :'user' AND datname = current_database() AND backend_type = 'client backend';
    SELECT pid, query FROM pg_stat_activity
    WHERE usename = :'user' AND datname = current_database() AND pid <> pg_backend_pid()
        AND xact_start < :'began';
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
    # The names in them are the verifier's, whatever else a server has given them to meanwhile;
    # those of its own tables are in the schema of its user.
    " -c search_path=public,{user}"
)
# Of a small table one row is looked up by reading all of it, unless that is forbidden.
_BY_INDEX = " -c enable_seqscan=off -c enable_bitmapscan=off"
_AS_WANTED = (Reads.NOTHING, Reads.ROW, Reads.WHOLE)
"""What a statement must not seem to read by a setting of its session."""
# What begins so, perhaps after comments, reads no table.
_CONTROL = re.compile(
    r"(?is)(?:\s|--[^\n]*|/\*.*?\*/)*+(?:$|(?:begin|start|commit|end|rollback|abort|savepoint"
    r"|release|set|reset|show|discard|deallocate|listen|unlisten|prepare|close)\b)"
)
# What begins so, perhaps after comments, reads what another statement says ...
_RUNS_ANOTHER = re.compile(r"(?is)(?:\s|--[^\n]*|/\*.*?\*/)*+(?:execute|fetch|move)\b")
# ... or holds one that cannot be planned by itself, whose table it then names.
_HOLDS_ANOTHER = re.compile(r"(?is)(?:\s|--[^\n]*|/\*.*?\*/)*+(?:copy|create|declare|explain)\b")
_COLUMNS = """
    SELECT attname FROM pg_attribute
    WHERE attrelid = (:'table')::regclass AND attnum > 0 AND NOT attisdropped
"""


class StatementsSeen(NamedTuple):
    """What the statements seen under load were."""

    single: int
    """Those that read one row, by its key."""
    number: int
    """Those that read or wrote rows of the table, or may have, without those that hide it."""
    several: str
    """One that read several rows; "" where none did."""
    another: str
    """What else one of them was, to be told of; "" where there was none."""
    whole: int = 0
    """Those that read all rows and hand over the columns that are wanted, as they are."""
    hidden: str = ""
    """One that does not show what it reads, such as a FETCH; "" where none did."""
    of_all: int = 0
    """So many statements were seen, whatever they were on."""


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
        self.older: dict[str, str] = {}
        """Connections seen in a transaction that had begun before `begin`, by their process, and
        what each was running or had run last."""

    def begin(self, psql: Psql) -> None:
        """Forget what was seen, and see only statements that begin from now on; `psql` is the
        owner's. Raises `ServiceError`."""
        self._seen.clear()
        self.held.clear()
        self.older.clear()
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
            elif len(row) == 2 and row[0] == "held":
                held.append(int(row[1]))
            elif len(row) == 2:
                pid, text = row
                self.older[pid] = text
        self.held.append(min(held))

    def sent_together(self, most: int) -> str:
        """One of the texts seen that holds more than so many statements on the table; "" where
        there is none."""
        for text in self._seen.values():
            without = without_comments(text)
            # By a setting of the session, a backslash decides where a text in it ends.
            for code in (without_texts(without), without_texts(without, escaped=True)):
                if sum(names(part, self._table) for part in code.split(";")) > most:
                    return text
        return ""

    def told(self) -> StatementsSeen:
        """What was seen. Raises `ServiceError` where PostgreSQL cannot be asked."""
        alike: dict[str, list[str]] = {}
        texts: dict[Reads, list[str]] = {reads: [] for reads in Reads}
        for written in self._seen.values():
            # Of one that is not shown to its end nobody knows what it reads in the rest; without
            # comments, since a library may write the id of a trace into each.
            text = written if self._is_cut(written) else without_comments(written)
            alike.setdefault(re.sub(r"\d+", "0", text), []).append(text)
        judged = list(alike)
        if len(judged) > _MOST_JUDGED:
            # Not the first ones: a server could have those be what is wanted.
            judged = _LOT.sample(judged, _MOST_JUDGED)
        each = _MOST_JUDGED // max(1, len(judged))
        options = _HARMLESS.format(user=self._services["PGUSER"])
        if not self._columns:
            options += _BY_INDEX
        with Psql({**self._services, "PGOPTIONS": options}) as psql:
            for like in judged:
                reads, worst = self._worst(psql, alike[like], each)
                alike[like].remove(worst)
                alike[like].insert(0, worst)
                texts[reads] += alike[like]
        unread = len(texts[Reads.NOTHING]) + len(texts[Reads.HIDDEN])
        number = sum(len(alike[like]) for like in judged) - unread
        several = next(iter(texts[Reads.ROWS]), "")
        hidden = next(iter(texts[Reads.HIDDEN]), "")
        others = texts[Reads.MADE] + texts[Reads.UNKNOWN] + texts[Reads.WRITES]
        if self._columns:
            others = texts[Reads.ROWS] + texts[Reads.ROW] + others
        another = f"; another was: {others[0]}" if others else ""
        single, whole = len(texts[Reads.ROW]), len(texts[Reads.WHOLE])
        of_all = len(self._seen)
        return StatementsSeen(single, number, several, another, whole, hidden, of_all)

    def _worst(self, psql: Psql, texts: Sequence[str], most: int) -> tuple[Reads, str]:
        """Of so many `texts`, drawn by lot, that differ in numbers alone, what is read by the one
        that is farthest from what is wanted: a number may decide it, as in `OR 1 = 0`."""
        wanted = Reads.WHOLE if self._columns else Reads.ROW
        order = [wanted, *(reads for reads in Reads if reads is not wanted)]
        drawn = _LOT.sample(texts, min(most, len(texts)))
        found = [
            (Reads.ROWS if self._is_cut(one) else self._reads(psql, one), one) for one in drawn
        ]
        return max(found, key=lambda one: order.index(one[0]))

    def _is_cut(self, text: str) -> bool:
        """Whether PostgreSQL shows no more of it than its beginning."""
        return len(text.encode()) >= self._longest

    def _hides(self, statement: str) -> bool:
        """Whether it may read the table by another statement, which nobody can look into."""
        if _RUNS_ANOTHER.match(statement):
            return True
        return names(statement, self._table) and _HOLDS_ANOTHER.match(statement) is not None

    def _reads(self, psql: Psql, text: str) -> Reads:
        """What is read by a text, which may hold several statements."""
        # Each is planned alone: after another it would be run.
        parts = text.split(";")
        found = [self._reads_one(psql, one) for one in parts]
        of_table = [reads for reads in found if reads is not Reads.NOTHING]
        rows = of_table.count(Reads.ROW) + of_table.count(Reads.MADE)
        if rows > 1 or of_table.count(Reads.WHOLE) > 1:
            return Reads.ROWS
        reads = max(of_table, key=list(Reads).index, default=Reads.NOTHING)
        # A backslash may decide where a statement ends.
        unsure = "\\" in text and reads in (Reads.ROW, Reads.WHOLE)
        unsure = unsure or any(map(self._by_setting, parts, found))
        return Reads.HIDDEN if unsure and reads in _AS_WANTED else reads

    def _by_setting(self, statement: str, reads: Reads) -> bool:
        """Whether a setting of its session may decide that it reads something else."""
        if reads is Reads.ROW:
            return row_by_setting(statement)
        if reads is Reads.WHOLE:
            return rows_by_setting(statement)
        # A condition that is false for the planner reads nothing; what is in a text is no name.
        reads_none = reads is Reads.NOTHING and not _CONTROL.match(statement)
        code = without_texts(without_comments(statement))
        return reads_none and names(code, self._table) and rows_by_setting(statement)

    def _reads_one(self, psql: Psql, statement: str) -> Reads:
        if _CONTROL.match(statement):
            return Reads.NOTHING
        if self._hides(statement):
            return Reads.HIDDEN
        # Where it cannot be asked at all, that says nothing of the statement.
        psql.rows("SELECT 1")
        try:
            [[told]] = psql.rows(_PLAN, text=statement)
            nodes = list(nodes_of(json.loads(told)[0]["Plan"]))
        except (ServiceError, ValueError):
            return Reads.UNKNOWN
        table = TableRead(self._table, self._names, self._columns, self._unsorted)
        return of_plan(nodes, table)
