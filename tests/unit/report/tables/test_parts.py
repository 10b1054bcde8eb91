"""What differs between servers beside the framework: a table made from their manifests."""

from __future__ import annotations

import pytest

from support.output_schemas import validate
from support.synthetic_run import build_run
from webdyno.catalog.terms.parts import CLOSED
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import export
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.tables import parts
from webdyno.store.findings import ServerRecord
from webdyno.store.records import RunRecord

pytestmark = pytest.mark.slow


def run_of(**stated: dict[str, str]) -> RunRecord:
    run = build_run(blocks=1, seconds=1)
    run.servers = [
        ServerRecord(entry=entry, framework="f", framework_version="1", parts=held)
        for entry, held in stated.items()
    ]
    return run


def test_what_differs_has_a_column_and_what_does_not_a_sentence() -> None:
    run = run_of(
        one={"template": "EJS", "files": "before the routes", "heap": "-Xmx512m"},
        two={"template": "EJS", "files": "behind the routes"},
    )
    found = parts.table(run)
    assert found.columns == ("Files", "Heap asked for")
    assert found.rows == (
        ("one", ("before the routes", "-Xmx512m")),
        ("two", ("behind the routes", "–")),
    )
    assert found.same == ("Template: the same in all: EJS.",)


def test_servers_beside_one_that_closes_connections_keep_theirs() -> None:
    found = parts.table(run_of(one={}, two={"connections": CLOSED}))
    assert found.columns == ("Connections",)
    assert found.rows == (("one", ("kept",)), ("two", (CLOSED,)))


def test_a_run_without_statements_has_no_table() -> None:
    found = parts.table(run_of(one={}, two={}))
    assert (found.columns, found.rows, found.same) == ((), (), ())


def test_one_server_differs_from_nobody() -> None:
    found = parts.table(run_of(one={"template": "EJS"}))
    assert (found.columns, found.same) == ((), ())


def test_reports_show_it() -> None:
    run = run_of(one={"files": "<first>"}, two={"files": "last"})
    page, text = render_html(run), render_markdown(run)
    assert "Differences other than the framework" in page
    assert "&lt;first&gt;" in page
    assert "| one | &lt;first> |" in text
    validate("run", export(run))
