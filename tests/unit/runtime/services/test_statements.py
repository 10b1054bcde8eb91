"""Which statements PostgreSQL is seen to run, and what is told of them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from webdyno.runtime.services import RunningService
from webdyno.runtime.services.plans import Reads
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.statements import Statements, StatementsSeen


@pytest.mark.slow
def test_a_row_of_a_small_table_is_looked_up_all_the_same(service: RunningService) -> None:
    owner, server = Psql(service.as_owner), Psql(service.env)
    owner.rows("CREATE TABLE few (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL)")
    owner.rows("INSERT INTO few SELECT id, 0 FROM generate_series(1, 100) AS id; ANALYZE few")
    statements = Statements(service.env, "few")
    statements.begin(owner)
    with server:
        server.rows("SELECT id, amount FROM few WHERE id = 5")
        statements.look(owner)
        assert statements.told()[:3] == (1, 1, "")
        for text in (
            "SELECT id, amount FROM few",
            "SELECT f.id, amount FROM generate_series(1, 9) AS one,"
            " LATERAL (SELECT id, amount FROM few WHERE id = one OFFSET 0) AS f",
        ):
            statements.begin(owner)
            server.rows(text)
            statements.look(owner)
            assert statements.told().several.startswith(text), text


@pytest.mark.slow
def test_a_transaction_that_began_earlier_is_seen(service: RunningService) -> None:
    owner = Psql(service.as_owner)
    statements = Statements(service.env, "pg_class")
    with Psql(service.env) as server:
        server.rows("BEGIN; SELECT 1;")
        statements.begin(owner)
        statements.look(owner)
        assert list(statements.older.values()) == ["SELECT 1;"]
        server.rows("COMMIT; BEGIN")
        statements.begin(owner)
        assert statements.older == {}
    with Psql(service.env) as server:
        statements.begin(owner)
        server.rows("BEGIN; SELECT 1;")
        statements.look(owner)
        assert statements.older == {}


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


@pytest.mark.slow
def test_what_only_looks_like_a_comment_is_read(service: RunningService) -> None:
    owner = Psql(service.as_owner)
    owner.rows("CREATE TABLE part (id INTEGER PRIMARY KEY)")
    owner.rows("INSERT INTO part SELECT generate_series(1, 10000); ANALYZE part")
    statements = Statements(service.env, "part")
    with Psql(service.env) as server:
        for text in (
            "SELECT id FROM part WHERE id = 1 AND 'a' <> '/*' OR id IN (2, 3) OR 'b' = '*/'",
            "SELECT id FROM part WHERE id = 1 -- /*\n OR id IN (2, 3) -- */",
        ):
            statements.begin(owner)
            assert len(server.rows(text)) == 3
            statements.look(owner)
            assert statements.told().several.startswith("SELECT id FROM part"), text


def told_of(texts: Iterable[str], of_rows: str, monkeypatch: pytest.MonkeyPatch) -> StatementsSeen:
    """What is told of `texts`: those with `of_rows` in them read several rows, the others one."""

    def reads(_self: Statements, _psql: Psql, text: str) -> Reads:
        return Reads.ROWS if of_rows in text else Reads.ROW

    monkeypatch.setattr(Statements, "_reads", reads)
    statements = Statements({"PGUSER": "webdyno"}, "news")
    statements._seen.update({("1", str(at)): text for at, text in enumerate(texts)})
    return statements.told()


def test_of_many_different_statements_some_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that first runs so many as it should does not hide what it runs then."""
    texts = []
    for number in range(400):
        name = "".join(chr(ord("a") + int(digit)) for digit in str(number))
        which = "= 5" if number < 200 else "IN (5, 6)"
        texts.append(f"SELECT id FROM news AS {name} WHERE id {which}")
    told = told_of(texts, " IN ", monkeypatch)
    assert told.number == 64
    assert 0 < told.single < 64
    assert " IN " in told.several


def test_numbers_in_a_statement_may_decide_what_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        f"SELECT id FROM news WHERE id = {number} OR (1 = {number // 200} AND id IN (5, 6))"
        for number in range(400)
    ]
    told = told_of(texts, "1 = 1", monkeypatch)
    assert (told.single, told.number) == (0, 400)
    assert "1 = 1" in told.several


@pytest.mark.slow
def test_names_in_statements_are_those_of_the_verifier(service: RunningService) -> None:
    """A table of a server's own that has one of them would make all it did count for nothing."""
    owner, server = Psql(service.as_owner), Psql(service.env)
    with server:
        server.rows("CREATE TABLE kept (id INTEGER PRIMARY KEY)")
        owner.rows("CREATE TABLE kept (id INTEGER PRIMARY KEY)")
        owner.rows("INSERT INTO kept SELECT generate_series(1, 10000); ANALYZE kept")
        statements = Statements(service.env, "kept")
        statements.begin(owner)
        server.rows("SET search_path = public; SELECT id FROM kept WHERE id IN (2, 3)")
        server.rows("SELECT id FROM kept WHERE id IN (2, 3)")
        statements.look(owner)
        assert statements.told().several
        server.rows("DROP TABLE webdyno.kept")


@pytest.mark.slow
def test_a_server_s_own_table_is_none_of_the_verifier_s(service: RunningService) -> None:
    owner, server = Psql(service.as_owner), Psql(service.env)
    owner.rows("CREATE TABLE wanted (id INTEGER PRIMARY KEY)")
    statements = Statements(service.env, "wanted")
    with server:
        server.rows("CREATE TABLE setting (name TEXT PRIMARY KEY)")
        statements.begin(owner)
        server.rows("SELECT name FROM setting WHERE name = 'locale'")
        statements.look(owner)
        assert (statements.told().number, statements.told().another) == (0, "")
        server.rows("DROP TABLE setting")


@pytest.mark.slow
def test_a_statement_is_seen_to_its_end_or_taken_for_one_of_many_rows(
    service: RunningService,
) -> None:
    owner, server = Psql(service.as_owner), Psql(service.env)
    owner.rows("CREATE TABLE long (id INTEGER PRIMARY KEY)")
    owner.rows("INSERT INTO long SELECT generate_series(1, 10000); ANALYZE long")
    statements = Statements(service.env, "long")
    with server:
        for characters, select, several in (
            (3000, "SELECT id FROM long WHERE id = 5", False),
            (3000, "SELECT id FROM long WHERE id IN (5, 6)", True),
            (70_000, "SELECT id FROM long WHERE id IN (5, 6)", True),
        ):
            statements.begin(owner)
            server.rows(f"/* {'é' * (characters // 2)} */ {select}")
            statements.look(owner)
            told = statements.told()
            assert (told.number, bool(told.several)) == (1, several)


@pytest.mark.slow
def test_connections_are_counted_at_each_look(service: RunningService) -> None:
    owner = Psql(service.as_owner)
    statements = Statements(service.env, "none")
    with Psql(service.env) as one, Psql(service.env) as other:
        for server in (one, other):
            server.rows("SELECT 1")
            statements.look(owner)
    assert statements.held == [1, 2]
