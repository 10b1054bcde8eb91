"""What a plan of PostgreSQL reads of a table, and what it makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, NamedTuple

_SCHEMA = "public"
"""Of the verifiers' tables."""
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
_BY_KEY = re.compile(r"""\((?:(?:\w+|"[^"]+")\.)?id = (?!ANY\b).*\)""")

# What an ORM may add, as Laravel's does to the keys of relations.
_NOT_NULL = r"""\((?:(?:\w+|"[^"]+")\.)?id IS NOT NULL\)"""
_BY_KEY_TWICE = re.compile(rf"\((?:(\(.*\)) AND {_NOT_NULL}|{_NOT_NULL} AND (\(.*\)))\)")


class Reads(Enum):
    """What a statement reads of a table: of several in one text, what comes last here counts."""

    NOTHING = "nothing"
    ROW = "one row, by its key"
    WHOLE = "all rows, as they are"
    WRITES = "rows that it writes"
    MADE = "what the database makes of a row"
    UNKNOWN = "what nobody can tell"
    ROWS = "rows"
    HIDDEN = "what another statement says"


class TableRead(NamedTuple):
    """The table that statements are on, and what is wanted of it: see `Statements`."""

    name: str
    names: frozenset[str] = frozenset()
    """All of its columns'."""
    columns: frozenset[str] = frozenset()
    unsorted: frozenset[str] = frozenset()

    def is_read_by(self, node: Mapping[str, Any]) -> bool:
        """Whether a part of a plan reads it, and not one of its name in a schema of a server's."""
        return node.get("Relation Name") == self.name and node.get("Schema", _SCHEMA) == _SCHEMA


def nodes_of(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes_of(part)


def of_plan(nodes: list[Mapping[str, Any]], table: TableRead) -> Reads:
    of_table = [node for node in nodes if table.is_read_by(node)]
    if not of_table:
        return Reads.NOTHING
    if any(node["Node Type"] == "ModifyTable" for node in nodes):
        return Reads.WRITES
    if table.columns and len(of_table) == 1 and _hands_over(nodes, table):
        return Reads.WHOLE
    looks = [node.get("Index Cond", "") for node in of_table]
    simple = {node["Node Type"] for node in nodes} <= _OF_ONE_ROW
    if not (simple and len(looks) == 1 and _is_by_key(looks[0])):
        return Reads.ROWS
    return Reads.MADE if _is_made(nodes, table.names) else Reads.ROW


def _is_by_key(condition: str) -> bool:
    """Whether the condition of a look-up by an index finds one row at the most."""
    twice = _BY_KEY_TWICE.fullmatch(condition)
    alone = (twice[1] or twice[2]) if twice else condition
    return " AND " not in alone and _BY_KEY.fullmatch(alone) is not None


def _hands_over(nodes: list[Mapping[str, Any]], table: TableRead) -> bool:
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
