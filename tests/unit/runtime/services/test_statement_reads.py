"""What a statement reads, by its text and the plan that PostgreSQL makes of it."""

from __future__ import annotations

import pytest

from webdyno.runtime.services import RunningService, ServiceError
from webdyno.runtime.services.plans import Reads
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.statements import _HARMLESS, Statements

STATEMENTS = [
    (Reads.ROW, "SELECT id, amount FROM item WHERE id = $1"),
    (Reads.ROW, "SELECT id, amount FROM item WHERE id = 5;"),
    (Reads.ROW, 'SELECT "i"."id" FROM "item" AS "i" WHERE ("i"."id" = $1) LIMIT $2 -- one'),
    (Reads.ROW, "select i.id, i.amount from item i where i.id=$1 for no key update"),
    (Reads.ROW, "SELECT amount FROM item WHERE id IN (5) ORDER BY id LIMIT 1"),
    (Reads.ROW, "/* by */ SELECT amount FROM public.item WHERE id = $1::bigint FOR UPDATE"),
    # An alias with capitals is quoted in the plan, as Sequelize's and TypeORM's are.
    (Reads.ROW, 'SELECT "Item"."id" FROM "item" AS "Item" WHERE "Item"."id" = $1'),
    (Reads.ROW, "SELECT DISTINCT id, amount FROM item WHERE id = $1"),
    (Reads.ROW, "SELECT amount::text, 1 AS found, now() FROM item WHERE id = 5"),
    (Reads.ROW, "BEGIN; SELECT amount FROM item WHERE id = 5 FOR UPDATE"),
    # As Laravel writes the keys of relations.
    (Reads.ROW, 'select * from "item" where "item"."id" = $1 and "item"."id" is not null limit 1'),
    (Reads.ROW, 'SELECT "I".id FROM item AS "I" WHERE "I".id IS NOT NULL AND "I".id = 5'),
    (Reads.ROWS, "SELECT id FROM item WHERE id IN (5, 6) AND id IS NOT NULL"),
    (Reads.ROWS, "SELECT id FROM item WHERE id > 5 AND id IS NOT NULL"),
    (Reads.MADE, "SELECT max(amount) FROM item WHERE id = 5"),
    (Reads.MADE, "SELECT json_build_object('id', id, 'amount', amount) FROM item WHERE id = $1"),
    (Reads.MADE, "SELECT id, amount, to_json(i) FROM item i WHERE id = $1"),
    (Reads.MADE, "SELECT j FROM (SELECT amount || ',' AS j FROM item WHERE id = 5 OFFSET 0) t"),
    (Reads.MADE, "SELECT id, amount, (SELECT amount || ']') FROM item WHERE id = $1"),
    (Reads.ROWS, "SELECT id, amount FROM item WHERE id IN (5, 6)"),
    (Reads.ROWS, "SELECT id, amount FROM item WHERE id = ANY($1)"),
    # To whoever only estimates, this is a single row.
    (Reads.ROWS, "SELECT id FROM item WHERE id = ANY($1) AND id + 0 = amount + 0"),
    (Reads.ROWS, "SELECT id FROM item WHERE id = 1 UNION ALL SELECT id FROM item WHERE id = 2"),
    (Reads.ROWS, "SELECT i.id FROM item i JOIN unnest($1::int[]) AS one ON one = i.id"),
    (Reads.ROWS, "SELECT id FROM item WHERE id = 1 OR id = 2"),
    (Reads.ROWS, "SELECT id FROM item WHERE id BETWEEN $1 AND $2"),
    (Reads.ROWS, "SELECT (SELECT sum(id) FROM item WHERE id = ANY($1)) FROM item WHERE id = 5"),
    (Reads.ROWS, "SELECT id FROM item"),
    (Reads.ROWS, "SELECT max(amount) FROM item WHERE id = ANY($1)"),
    (Reads.ROWS, 'SELECT id FROM item AS "Item" WHERE id IN (5, 6)'),
    (Reads.ROWS, "SELECT id FROM item WHERE id = 1; SELECT id FROM item WHERE id = 2"),
    (Reads.ROWS, "SELECT to_json(i) FROM item i WHERE id = 1; SELECT id FROM item WHERE id = 2"),
    (Reads.WRITES, "UPDATE item SET amount = $1 WHERE id = $2"),
    (Reads.WRITES, "UPDATE item SET amount = amount + 1 WHERE id = ANY($1) RETURNING id, amount"),
    (Reads.NOTHING, "BEGIN"),
    (Reads.NOTHING, "commit"),
    (Reads.NOTHING, ""),
    (Reads.NOTHING, "-- ping"),
    (Reads.NOTHING, "/* by */ -- whom\nBEGIN"),
    (Reads.NOTHING, "SELECT 1"),
    (Reads.NOTHING, "SELECT typname FROM pg_type WHERE oid = $1"),
    (Reads.HIDDEN, "EXECUTE found(5)"),
    (Reads.HIDDEN, "/* by */ fetch 20 FROM found"),
    (Reads.HIDDEN, "SELECT id FROM item WHERE id = 1; MOVE ALL IN found"),
    (Reads.HIDDEN, "COPY (SELECT id FROM item) TO STDOUT"),
    (Reads.HIDDEN, "EXPLAIN (ANALYZE, FORMAT JSON) SELECT id FROM public.item"),
    (Reads.HIDDEN, "DECLARE found CURSOR WITH HOLD FOR SELECT id FROM item"),
    (Reads.HIDDEN, "CREATE TABLE kept AS SELECT id FROM item"),
    (Reads.HIDDEN, "COPY (SELECT id FROM ITEM) TO STDOUT"),
    (Reads.HIDDEN, r'COPY (SELECT id FROM U&"\0069tem") TO STDOUT'),
    # By a setting of the session, each of these reads other rows.
    (Reads.HIDDEN, "SELECT id FROM item WHERE id = 1 OR (id IN (2, 3) AND NULL = NULL)"),
    (Reads.HIDDEN, r"SELECT id FROM item WHERE id = $1 AND 'q' <> '\' || ' OR id = ANY($2) --'"),
    (Reads.HIDDEN, "SELECT id FROM item WHERE id = 1 OR '01-02-2020'::date = '2020-02-01'"),
    (Reads.HIDDEN, r"SELECT '\'; SELECT id FROM item WHERE id = 1"),
    # What server-side cursors end with.
    (Reads.NOTHING, 'CLOSE "found"'),
    (Reads.UNKNOWN, "COPY (SELECT id FROM items) TO STDOUT"),
    (Reads.UNKNOWN, "SELECT id FROM item WHERE id = 1 AND"),
    # None of it may be taken for a command to psql, or be run.
    (Reads.UNKNOWN, "\\! false"),
    (Reads.UNKNOWN, "SELECT 1; DROP TABLE item"),
]


@pytest.mark.slow
def test_what_a_statement_reads(service: RunningService) -> None:
    owner = Psql(service.as_owner)
    owner.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL)")
    owner.rows("INSERT INTO item SELECT id, 0 FROM generate_series(1, 10000) AS id; ANALYZE item")
    statements = Statements(service.env, "item")
    statements.begin(owner)
    with Psql({**service.env, "PGOPTIONS": _HARMLESS}) as psql:
        for reads, text in STATEMENTS:
            assert statements._reads(psql, text) is reads, text
    assert owner.rows("SELECT count(*), sum(amount) FROM item") == [["10000", "0"]]


# Whether each hands over all rows of `news(id, title, text)`, title and text as they are.
OF_ALL = [
    (True, "SELECT id, title, text FROM news"),
    (True, "SELECT title, text FROM news ORDER BY id"),
    (True, "SELECT * FROM news ORDER BY title DESC NULLS LAST"),
    (True, 'SELECT "News"."title", "News"."text", now() FROM "news" AS "News";'),
    (True, 'SELECT title, text FROM news ORDER BY title COLLATE "C" DESC LIMIT 100'),
    # What ORMs add.
    (True, 'SELECT "public"."news"."title", news.text FROM news WHERE 1=1 OFFSET $1'),
    (True, "SELECT title, text FROM news ORDER BY id FOR SHARE"),
    (True, "SELECT sub.title, sub.text FROM (SELECT * FROM news ORDER BY id) AS sub"),
    (True, "SELECT title::varchar(9), text::text, title, text FROM news"),
    (False, "SELECT title, text FROM news ORDER BY lower(title) FOR SHARE"),
    (False, "SELECT title, text, '<b>' || replace(text, '<', '&lt;') || '</b>' FROM news"),
    (False, "SELECT title, text, to_json(news) FROM news"),
    (
        False,
        "SELECT t.text, t.title FROM (SELECT title || '!' AS title, text FROM news OFFSET 0) t",
    ),
    (False, "SELECT t.text, t.title FROM (SELECT xmin AS title, text FROM news OFFSET 0) t"),
    (False, "SELECT t.text, t.title FROM (SELECT id AS title, id AS text FROM news OFFSET 0) t"),
    (False, "SELECT count(*), sum(hashtext(text)) FROM news"),
    (False, "SELECT string_agg(title || text, '') FROM news"),
    (False, "SELECT md5(title), md5(text) FROM news"),
    (False, "SELECT title FROM news"),
    (False, "SELECT id, xmin FROM news"),
    (False, "SELECT title, text FROM news WHERE id = 5"),
    (False, "SELECT title, text FROM news WHERE text > $1"),
    (False, "SELECT title, text FROM news WHERE $1::bool"),
    (False, "SELECT title, text FROM news WHERE (SELECT sum(hashtext(text)) FROM news) <> $1"),
    (False, "SELECT title, text FROM news ORDER BY xmin::text::bigint DESC LIMIT 1"),
    (False, "SELECT title, text FROM news ORDER BY ctid DESC LIMIT $1"),
    (False, "SELECT title, text FROM news LIMIT (SELECT count(*) FROM news WHERE text > $1)"),
    (False, "SELECT DISTINCT title, text FROM news"),
    (False, "SELECT title, text FROM news UNION ALL SELECT title, text FROM news"),
    (False, "SELECT title, text FROM news; SELECT title, text FROM news"),
    (False, "FETCH ALL FROM found"),
    (False, "SELECT title, text FROM news WHERE (NULL = NULL) IS NULL"),
]


@pytest.mark.slow
def test_whether_a_statement_hands_over_all_rows_as_they_are(service: RunningService) -> None:
    owner = Psql(service.as_owner)
    owner.rows("CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT)")
    owner.rows("INSERT INTO news SELECT id, 't' || id, 'x' FROM generate_series(1, 16) AS id")
    statements = Statements(service.env, "news", ("title", "text"))
    statements.begin(owner)
    with Psql({**service.env, "PGOPTIONS": _HARMLESS}) as psql:
        for whole, text in OF_ALL:
            assert (statements._reads(psql, text) is Reads.WHOLE) is whole, text


@pytest.mark.parametrize(
    ("together", "text"),
    [
        (False, "SELECT title FROM news WHERE id = 1"),
        (False, "BEGIN; UPDATE news SET title = 'a' WHERE id = 1; COMMIT; SELECT 1; SELECT 2;"),
        (False, "SELECT * FROM news; UPDATE news SET text = 'a; news; news' WHERE id = $1"),
        (
            False,
            r"UPDATE news SET text = E'it\'s; news; ''news'';' /* news; news; */; -- news; news",
        ),
        (False, "UPDATE news SET text = $a$'; news; news; $a$; SELECT newspaper; SELECT old_news"),
        (True, "SELECT * FROM news; SELECT * FROM news; UPDATE news SET id = 1"),
        (True, "BEGIN;UPDATE news SET text = 'a';COMMIT;" * 3),
        (True, "SELECT 1 FROM NEWS; SELECT 1 FROM News; SELECT 1 FROM nEWS"),
        (True, r'SELECT 1 FROM U&"n\0065ws";' * 3),
        (True, "SELECT 1 FROM news; SELECT '/*'; SELECT 1 FROM news; SELECT 1 FROM news -- */"),
        (True, "DELETE FROM \"news\"; select 1 from public.news; SELECT '' FROM news n"),
    ],
)
def test_a_text_of_more_statements_than_belong_together(together: bool, text: str) -> None:
    statements = Statements({"PGUSER": "webdyno"}, "news")
    statements._seen["1", "now"] = "SELECT 1"
    statements._seen["2", "now"] = text
    assert statements.sent_together(2) == (text if together else "")


@pytest.mark.parametrize(
    ("hides", "statement"),
    [
        (True, "EXECUTE found(5)"),
        (True, "-- by\n\tFetch 20 FROM found"),
        (True, "move all in found"),
        (True, 'COPY "news" TO STDOUT'),
        (True, "explain analyze select title from news"),
        (True, "COPY NEWS TO STDOUT"),
        (False, "COPY newspaper TO STDOUT"),
        (False, "CREATE TABLE setting (name TEXT)"),
        (False, "SELECT title FROM news -- fetch"),
        (False, "fetched"),
    ],
)
def test_a_statement_that_reads_by_another_one(hides: bool, statement: str) -> None:
    assert Statements({"PGUSER": "webdyno"}, "news")._hides(statement) is hides


@pytest.mark.slow
def test_who_cannot_ask_postgresql_says_nothing_of_a_statement(service: RunningService) -> None:
    nowhere = {**service.env, "PGDATABASE": "there_is_none"}
    with Psql(nowhere) as psql, pytest.raises(ServiceError, match="there_is_none"):
        Statements(nowhere, "item")._reads(psql, "SELECT id FROM item WHERE id = 5")
