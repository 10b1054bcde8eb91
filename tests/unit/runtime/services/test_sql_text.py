"""What of a statement's text is a comment, a text, or a name, as PostgreSQL reads it."""

from __future__ import annotations

import pytest

from webdyno.runtime.services.sql_text import names, without_comments, without_texts


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("SELECT 1", "SELECT 1"),
        ("/* by */ SELECT 1 -- one\nFROM t", "  SELECT 1  \nFROM t"),
        ("a /* b /* c */ d */ e", "a   e"),
        ("a /* b", "a  "),
        ("'/*' OR 1 = 1 OR '*/'", "'/*' OR 1 = 1 OR '*/'"),
        ("'it''s /* ' /* no */", "'it''s /* '  "),
        ('"/*" x "*/"', '"/*" x "*/"'),
        ("a -- /*\n OR b -- */", "a  \n OR b  "),
        ("/* ' */ a /* ' */", "  a  "),
        (r"E'\' /* ' /* a */", r"E'\' /* '  "),
        # Not an escape, but a type's name.
        (r"date'\' /*' a */", r"date'\'  "),
        ("$a$ /* $$ $a$ b /* c */", "$a$ /* $$ $a$ b  "),
        ("id = $1 /* $1 */ AND a$b$ = 1 -- $b$", "id = $1   AND a$b$ = 1  "),
    ],
)
def test_comments_are_left_out(text: str, left: str) -> None:
    assert without_comments(text) == left


def test_texts_are_emptied() -> None:
    assert without_texts("SELECT 'a;b', E'\\';', $x$;$x$, \"c;d\"") == "SELECT '', '', '', \"c;d\""


def test_a_backslash_may_keep_a_text_from_ending() -> None:
    sql = r"SELECT '\''; SELECT 1; --'"
    assert without_texts(sql) == "SELECT ''''"
    assert without_texts(sql, escaped=True) == "SELECT ''; SELECT 1; --'"


@pytest.mark.parametrize(
    ("is_named", "sql"),
    [
        (True, 'SELECT 1 FROM public."world"'),
        (True, "SELECT 1 FROM WORLD"),
        (True, r'SELECT 1 FROM U&"w\006frld"'),
        (False, "SELECT 1 FROM worlds"),
        (False, "SELECT u & 1 FROM other"),
    ],
)
def test_a_table_is_named(is_named: bool, sql: str) -> None:
    assert names(sql, "world") is is_named
