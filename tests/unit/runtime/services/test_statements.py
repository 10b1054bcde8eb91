"""What the statements read that PostgreSQL is seen to run."""

from __future__ import annotations

import pytest

from webdyno.runtime.services import RunningService, ServiceError
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.statements import _HARMLESS, Reads, Statements

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
    (Reads.ROW, "SELECT max(amount) FROM item WHERE id = 5"),
    (Reads.ROW, "BEGIN; SELECT amount FROM item WHERE id = 5 FOR UPDATE"),
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
    (Reads.WRITES, "UPDATE item SET amount = $1 WHERE id = $2"),
    (Reads.WRITES, "UPDATE item SET amount = amount + 1 WHERE id = ANY($1) RETURNING id, amount"),
    (Reads.NOTHING, "BEGIN"),
    (Reads.NOTHING, "commit"),
    (Reads.NOTHING, ""),
    (Reads.NOTHING, "-- ping"),
    (Reads.NOTHING, "/* by */ -- whom\nBEGIN"),
    (Reads.NOTHING, "SELECT 1"),
    (Reads.NOTHING, "SELECT typname FROM pg_type WHERE oid = $1"),
    (Reads.UNKNOWN, "EXECUTE found(5)"),
    (Reads.UNKNOWN, "FETCH 20 FROM found"),
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
    (True, "SELECT title, text FROM news ORDER BY lower(title) FOR SHARE"),
    (True, "SELECT sub.title, sub.text FROM (SELECT * FROM news ORDER BY id) AS sub"),
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
]


@pytest.mark.slow
def test_whether_a_statement_hands_over_all_rows_as_they_are(service: RunningService) -> None:
    owner = Psql(service.as_owner)
    owner.rows("CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT)")
    owner.rows("INSERT INTO news SELECT id, 't' || id, 'x' FROM generate_series(1, 16) AS id")
    statements = Statements(service.env, "news", ("title", "text"))
    with Psql({**service.env, "PGOPTIONS": _HARMLESS}) as psql:
        for whole, text in OF_ALL:
            assert (statements._reads(psql, text) is Reads.WHOLE) is whole, text


@pytest.mark.slow
def test_who_cannot_ask_postgresql_says_nothing_of_a_statement(service: RunningService) -> None:
    nowhere = {**service.env, "PGDATABASE": "there_is_none"}
    with Psql(nowhere) as psql, pytest.raises(ServiceError, match="there_is_none"):
        Statements(nowhere, "item")._reads(psql, "SELECT id FROM item WHERE id = 5")


@pytest.mark.slow
def test_statements_are_seen_once_each_and_counted_by_what_they_read(
    service: RunningService,
) -> None:
    owner, server = Psql(service.as_owner), Psql(service.env)
    owner.rows("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
    owner.rows("INSERT INTO thing SELECT generate_series(1, 10000); ANALYZE thing")
    statements = Statements(service.env, "thing")
    with server:
        server.rows("SELECT id FROM thing")
        statements.begin(owner)
        for number in (1, 2, 3):
            # As of a library that writes the id of a trace into each.
            server.rows(f"/*trace='a{number};'*/ SELECT id FROM thing WHERE id = {number}")
            statements.look(owner)
        server.rows("SELECT 1")
        statements.look(owner)
        told = statements.told()
        assert (told.single, told.number, told.several, told.another) == (3, 3, "", "")
        server.rows("UPDATE thing SET id = 1 WHERE id = 1")
        statements.look(owner)
        server.rows("SELECT id FROM thing WHERE id IN (2, 3)")
        statements.look(owner)
    told = statements.told()
    assert (told.single, told.number) == (3, 5)
    assert told.several.strip().startswith("SELECT id FROM thing WHERE id IN (2, 3)")
    assert "UPDATE thing" in told.another
    statements.begin(owner)
    statements.look(owner)
    assert statements.told().number == 0
