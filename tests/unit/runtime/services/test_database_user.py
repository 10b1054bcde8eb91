"""What the user of a trial's PostgreSQL cannot do."""

from __future__ import annotations

import pytest

from webdyno.runtime.services import ServiceError
from webdyno.runtime.services.psql import Psql

pytestmark = pytest.mark.slow

Env = dict[str, str]


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("COPY (SELECT 1) TO PROGRAM 'cat'", "COPY to or from an external program"),
        ("COPY (SELECT 1) TO '/tmp/x'", "COPY to a file"),
        ("SELECT pg_read_file('PG_VERSION')", "permission denied"),
        ("SELECT lo_export(lo_from_bytea(0, 'x'), '/tmp/x')", "permission denied"),
        ("CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'libc', 'getpid'", "permission denied"),
        ("ALTER SYSTEM SET archive_command = 'cat'", "permission denied|must be superuser"),
        ("SELECT pg_stat_reset()", "permission denied"),
        ("SELECT * FROM log.dumped", "permission denied"),
        ("CREATE TABLE log.other (x int)", "permission denied"),
    ],
)
def test_who_uses_the_database_gets_nothing_done_outside_of_it(
    env: Env, sql: str, says: str
) -> None:
    """Else a server works in a process of the database, in nobody's account or sandbox."""
    with pytest.raises(ServiceError, match=says):
        Psql(env).rows(sql)


DENIED = r"permission denied (for language|to create temporary tables)"
PROGRAMS = [
    "DO 'BEGIN COMMIT; END'",
    "CREATE PROCEDURE pg_temp.p() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'",
    "CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql RETURN 1",
]

RUNNING_A_TEXT = [
    "SELECT query_to_xml('SELECT 1', true, true, '')",
    "SELECT cursor_to_xml('c', 1, true, true, '')",
    "SELECT table_to_xml('pg_class', true, true, '')",
    "SELECT database_to_xml(true, true, '')",
    "SELECT * FROM ts_stat('SELECT to_tsvector(''a'')')",
    "SELECT * FROM ts_stat('SELECT to_tsvector(''a'')', 'a')",
    "SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery')",
]


def test_who_uses_the_database_writes_no_programs_for_it(env: Env) -> None:
    """Else one statement does the work of many, and counts as many transactions."""
    for database in (env["PGDATABASE"], "postgres", "template1"):
        for sql in PROGRAMS:
            with pytest.raises(ServiceError, match=DENIED):
                Psql({**env, "PGDATABASE": database}).rows(sql)
    for sql in RUNNING_A_TEXT:
        with pytest.raises(ServiceError, match="permission denied for function"):
            Psql(env).rows(sql)
    with pytest.raises(ServiceError, match="permission denied to create database"):
        Psql(env).rows("CREATE DATABASE copied TEMPLATE template0")


OF_THE_OWNER = [
    "ALTER TABLE stock ENABLE ROW LEVEL SECURITY",
    "CREATE POLICY none ON stock FOR UPDATE USING (false)",
    "CREATE RULE none AS ON UPDATE TO stock DO INSTEAD NOTHING",
    "CREATE TRIGGER none BEFORE UPDATE ON stock FOR EACH ROW"
    " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "CREATE INDEX quicker ON stock (quantity)",
    "ALTER TABLE stock ADD COLUMN escaped text GENERATED ALWAYS AS (quantity::text) STORED",
    "ALTER TABLE stock RENAME TO other",
    "TRUNCATE stock",
    "CREATE TABLE public.other (x int)",
    "CREATE SCHEMA other",
    "ALTER DATABASE webdyno SET search_path = webdyno",
    "ALTER ROLE lab SET search_path = webdyno",
    "SET ROLE lab",
]


def test_who_uses_the_database_has_rights_to_rows_alone(env: Env, owner: Env) -> None:
    """Else a server could put policies, rules and triggers between the verifier and the rows."""
    Psql(owner).rows("CREATE TABLE stock (id serial, quantity int)")
    Psql(env).rows("INSERT INTO stock (quantity) VALUES (1); UPDATE stock SET quantity = 2")
    for sql in OF_THE_OWNER:
        with pytest.raises(ServiceError, match=r"must be owner|permission denied"):
            Psql(env).rows(sql)
    Psql(owner).rows("DROP TABLE stock")


STAND_INS = [
    "CREATE VIEW stock AS SELECT 9 AS id",
    "CREATE VIEW own AS SELECT id FROM public.stock",
    "CREATE MATERIALIZED VIEW own AS SELECT id FROM public.stock",
    "CREATE TEMP VIEW stock AS SELECT 9 AS id",
    "CREATE TEMP TABLE stock (id int)",
    "CREATE TABLE stock (id int)",
    "CREATE TABLE stock AS SELECT 9 AS id",
    "SELECT 9 AS id INTO stock",
    # Also where nobody else can see it.
    "BEGIN; CREATE TABLE stock (id int)",
    "CREATE TABLE own (id int); ALTER TABLE own RENAME TO stock",
    "CREATE TABLE pg_stat_user_tables (relname text, seq_scan int)",
    "CREATE TABLE own (id int); CREATE RULE many AS ON INSERT TO own DO INSTEAD SELECT 1",
    "CREATE OPERATOR = (LEFTARG = int, RIGHTARG = int, FUNCTION = int4ge)",
    "CREATE AGGREGATE max (int) (SFUNC = int4pl, STYPE = int)",
]


def test_names_mean_the_same_to_a_server_and_to_the_verifier(env: Env, owner: Env) -> None:
    """Else what looks like the look-up of one row reads many, or has the database do other work."""
    Psql(owner).rows("CREATE TABLE stock (id int); INSERT INTO stock VALUES (1)")
    for sql in STAND_INS:
        with pytest.raises(ServiceError, match="permission denied"):
            Psql(env).rows(sql)
        Psql(env).rows("DROP TABLE IF EXISTS webdyno.own")
    Psql(owner).rows("CREATE VIEW seen AS SELECT id FROM stock; DROP VIEW seen; DROP TABLE stock")


def test_what_a_server_makes_of_its_own_hides_nothing_from_the_verifier(
    env: Env, owner: Env
) -> None:
    Psql(env).rows(
        "CREATE TABLE own (id int PRIMARY KEY, at timestamptz); INSERT INTO own VALUES (7, now());"
        " CREATE INDEX own_at ON own (at); ALTER TABLE own ADD COLUMN name text;"
        " CREATE TABLE stock (id int); INSERT INTO stock VALUES (9);"
        " ALTER ROLE webdyno SET search_path = webdyno, pg_catalog, public"
    )
    # Its owner's comes later here; in a trial it is there first.
    Psql(owner).rows("CREATE TABLE stock (id int); INSERT INTO stock VALUES (1)")
    assert Psql(env).rows("SELECT id FROM stock") == [["9"]]
    found = Psql(owner).rows("SELECT id FROM stock; SELECT id FROM webdyno.own")
    assert found == [["1"], ["7"]]
    Psql(env).rows("ALTER ROLE webdyno RESET search_path; DROP TABLE own, webdyno.stock")
    Psql(owner).rows("DROP TABLE stock")


def test_nobody_connects_as_the_owner_without_its_password(env: Env) -> None:
    with pytest.raises(ServiceError, match="no password supplied"):
        Psql({**env, "PGUSER": "lab"}).rows("SELECT 1")
    with pytest.raises(ServiceError, match="password authentication failed"):
        Psql({**env, "PGUSER": "lab", "PGPASSWORD": "guess"}).rows("SELECT 1")


@pytest.mark.parametrize("user", ["admin", "postgres"])
def test_nobody_connects_as_another_user(env: Env, user: str) -> None:
    with pytest.raises(ServiceError, match=r"pg_hba\.conf"):
        Psql({**env, "PGUSER": user}).rows("SELECT 1")
