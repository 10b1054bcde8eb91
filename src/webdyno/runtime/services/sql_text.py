"""The text of a statement as PostgreSQL reads it: what of it is a comment, a text, or a name."""

from __future__ import annotations

import re

# By what begins first; in a comment, quotes mean nothing, and in quotes, no comment begins.
_ESCAPED = r"'(?:[^'\\]|\\.|'')*'"


def _tokens(plain: str) -> re.Pattern[str]:
    """What a text is told by, where one without a letter before it is `plain`."""
    return re.compile(
        rf"""(?P<text>[eE]{_ESCAPED}|{plain}|\$(?P<tag>(?:[^\W\d]\w*)?)\$.*?\$(?P=tag)\$)
        |(?P<word>\$?\w[\w$]*|"[^"]*")
        |(?P<line>--[^\n]*)
        |(?P<block>/\*)""",
        re.DOTALL | re.VERBOSE,
    )


_TOKEN, _TOKEN_ESCAPED = _tokens("'[^']*'"), _tokens(_ESCAPED)
_EDGE = re.compile(r"/\*|\*/")


def without_comments(sql: str) -> str:
    """`sql` with a space in the place of each comment."""
    return _cut(sql, ("line",), " ")


def without_texts(sql: str, *, escaped: bool = False) -> str:
    """`sql`, which has no comments, with an empty text in the place of each; where a backslash is
    an `escaped` character's in all of them, as without `standard_conforming_strings`."""
    return _cut(sql, ("text",), "''", _TOKEN_ESCAPED if escaped else _TOKEN)


def names(sql: str, table: str) -> bool:
    """Whether `sql` names `table`, perhaps in capitals, or may do so in escapes of characters."""
    return re.search(rf"\b{re.escape(table)}\b|\bu&\"", sql, re.IGNORECASE) is not None


def _cut(sql: str, kinds: tuple[str, ...], instead: str, tokens: re.Pattern[str] = _TOKEN) -> str:
    parts: list[str] = []
    at = 0
    while token := tokens.search(sql, at):
        parts.append(sql[at : token.start()])
        at = token.end()
        if token.lastgroup == "block":
            at = _end_of_block(sql, at)
            parts.append(" ")
        else:
            parts.append(instead if token.lastgroup in kinds else token[0])
    return "".join([*parts, sql[at:]])


def _end_of_block(sql: str, at: int) -> int:
    """Where a comment ends that began before `at`: one may be in another."""
    depth = 1
    while depth and (edge := _EDGE.search(sql, at)):
        depth += 1 if edge[0] == "/*" else -1
        at = edge.end()
    return at if depth == 0 else len(sql)
