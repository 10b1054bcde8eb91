"""Whether what a statement reads may be decided by a setting of its session.

Nobody else can look into the settings of a session, and they decide what a constant is: by another
`datestyle`, '01-02-2020' is another day. In `(id = 1) = (make_date(2020, 1, 2) = '01-02-2020')` it
decides whether one row is looked up or all others.
"""

from __future__ import annotations

import re

from webdyno.runtime.services.sql_text import without_comments, without_texts

# What means something else by `standard_conforming_strings`, or `transform_null_equals`, or puts
# conditions together. The look-up of a row, and the read of a table, need none of it.
_WORDS = re.compile(r"(?i)\\|\b(?:or|union|intersect|except|case)\b|=\s*null\b|\bnull\s*=")
# What makes a condition of something, and perhaps of another condition.
_OPERATOR = re.compile(
    r"(?i)[<>=~!@#%^&|?]+|\b(?:is|not|in|between|i?like|similar|any|all|some|overlaps)\b"
)
# An ORM may add that the key is not NULL, as Laravel's does.
_NOT_NULL = re.compile(r"(?i)\bis\s+not\s+null\b")
_LEAVES_OUT = re.compile(r"(?i)\b(?:where|on|having|limit|offset|fetch|tablesample)\b")


def row_by_setting(sql: str) -> bool:
    """Whether a setting may decide that `sql`, which looks up one row by its key, reads others. One
    text in it may be that key: then there is no comparison but this one."""
    if _WORDS.search(sql):
        return True
    code = _code(sql)
    return _has_text(code) and _OPERATOR.findall(_NOT_NULL.sub("", code)) != ["="]


def rows_by_setting(sql: str) -> bool:
    """Whether a setting may decide how many rows `sql` reads, which reads all or none."""
    if _WORDS.search(sql):
        return True
    code = _code(sql)
    return _has_text(code) and _LEAVES_OUT.search(code) is not None


def _code(sql: str) -> str:
    return without_texts(without_comments(sql))


def _has_text(code: str) -> bool:
    return "''" in code
