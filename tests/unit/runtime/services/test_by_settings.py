"""Statements whose constants a setting of a session may decide."""

from __future__ import annotations

import pytest

from webdyno.runtime.services.by_settings import row_by_setting, rows_by_setting


@pytest.mark.parametrize(
    ("decides", "sql"),
    [
        (False, "SELECT id, randomnumber FROM world WHERE id = 5"),
        (False, 'SELECT "world"."id" FROM "world" WHERE "world"."id" = $1 LIMIT $2'),
        (False, "SELECT id FROM world WHERE world.id = $1::INTEGER"),
        (False, 'select * from "world" where "id" = \'5\' and "id" is not null limit 1'),
        (False, "SELECT quantity FROM stock WHERE id = '5' /* 'a' <> 'b' */ FOR NO KEY UPDATE"),
        (False, "SELECT id FROM world WHERE id = $1 AND id >= 1"),
        (True, "SELECT id FROM world WHERE (id = 1) = ('01-02-2020'::date = '2020-01-02')"),
        (True, "SELECT id FROM world WHERE (id = 1) = (make_date(2020, 1, 2) = $$01-02-2020$$)"),
        (True, "SELECT id FROM world WHERE (id = 1) IS NOT DISTINCT FROM isfinite(date 'today')"),
        (True, "SELECT id FROM world WHERE (id = 1) <> (E'01-02-2020'::date > x)"),
        (True, "SELECT id FROM world WHERE id = 1 OR id = 2"),
        (True, r"SELECT id FROM world WHERE id = 1 AND '\' = x"),
    ],
)
def test_a_row(decides: bool, sql: str) -> None:
    assert row_by_setting(sql) is decides


@pytest.mark.parametrize(
    ("decides", "sql"),
    [
        (False, "SELECT id, message FROM fortune"),
        (False, "SELECT 'x' AS kind, number FROM articles ORDER BY number"),
        (False, "SELECT id FROM fortune WHERE 1 = 1 LIMIT 100"),
        (True, "SELECT id FROM fortune WHERE '01-02-2020'::date = '2020-01-02'"),
        (True, "SELECT id FROM fortune LIMIT 100 * ('01-02-2020'::date - '2020-01-02')"),
    ],
)
def test_all_rows_or_none(decides: bool, sql: str) -> None:
    assert rows_by_setting(sql) is decides
