"""The board's page: what readers can choose from."""

from __future__ import annotations

import html
import json
import math
import re
from typing import get_args

from webdyno.board.matrix import BoardCell, Heading, Matrix, Row, matrix_of
from webdyno.board.page import render_html
from webdyno.board.pieces import CurrentSources, PieceConditions
from webdyno.board.state import BoardColumn
from webdyno.catalog import Catalog
from webdyno.catalog.servers.concurrency import ConcurrencyKind


def test_readers_choose_among_few_kinds_of_servers_and_read_the_rest_in_its_title() -> None:
    catalog = Catalog()
    entries = [server.id for server in catalog.servers()]
    today = CurrentSources(PieceConditions("machine", "6.1", "1.0", "cpu 0", {}), {})
    column = BoardColumn("hello", [], dict.fromkeys(entries, "not here"), "", today, [])
    page = render_html(matrix_of([column], catalog, 0.95))
    choice = re.search(r'<select name="kind">(.*?)</select>', page, re.DOTALL)
    assert choice is not None
    offered = re.findall(r"<option>(.*?)</option>", choice[1])
    assert offered == sorted(get_args(ConcurrencyKind))
    assert 'title="Quarkus, event loop, with a thread per request from a pool"' in page


def test_an_end_that_nothing_bounds_is_json_that_a_browser_reads() -> None:
    cell = BoardCell("placed", first=1, last=1, of=2, ratio=2.0, low=1.5, high=math.inf)
    rows = [Row("go/a", "go", "", "", {"json": cell, "hello": BoardCell("open")})]
    headings = [Heading("json", "go/b", (), 0), Heading("hello", "go/b", (), 0)]
    page = render_html(Matrix(headings, rows, 0.95))
    told = [html.unescape(one) for one in re.findall(r'data-ratio="([^"]*)"', page)]

    def no_json(constant: str) -> None:
        raise AssertionError(constant)

    assert json.loads(told[0], parse_constant=no_json) == [1.5, 2.0, None]
    assert told[1] == ""
    assert "2.00x [1.50, ∞]" in page
    assert "<h1>The board: 1 server in 2 scenarios</h1>" in page
