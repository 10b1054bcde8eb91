"""The board's page: what readers can choose from."""

from __future__ import annotations

import re
from typing import get_args

from webdyno.board.matrix import matrix_of
from webdyno.board.page import render_html
from webdyno.board.pieces import PieceConditions, Today
from webdyno.board.state import BoardColumn
from webdyno.catalog import Catalog
from webdyno.catalog.server import ConcurrencyKind


def test_readers_choose_among_few_kinds_of_servers_and_read_the_rest_in_its_title() -> None:
    catalog = Catalog()
    entries = [server.id for server in catalog.servers()]
    today = Today(PieceConditions("machine", "6.1", "1.0", "cpu 0", {}), {})
    column = BoardColumn("hello", [], dict.fromkeys(entries, "not here"), "", today, [])
    page = render_html(matrix_of([column], catalog, 0.95))
    choice = re.search(r'<select name="kind">(.*?)</select>', page, re.DOTALL)
    assert choice is not None
    offered = re.findall(r"<option>(.*?)</option>", choice[1])
    assert offered == sorted(get_args(ConcurrencyKind))
    assert 'title="Quarkus, event loop, with a thread per request from a pool"' in page
