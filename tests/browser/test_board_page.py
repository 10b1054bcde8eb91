"""The board's page in a browser: filters, weights, and both in its address."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from webdyno.board.matrix import BoardCell, Heading, Matrix, Row
from webdyno.board.page import render_html

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.concurrent

NOW = datetime(2026, 11, 1, 22, 30, tzinfo=UTC)


def placed(first: int, ratio: float) -> BoardCell:
    return BoardCell(
        "placed", first=first, last=first, of=3, ratio=ratio, low=ratio / 1.1, high=ratio * 1.1,
        measured=NOW, pieces=2, run="20261101-223000-abcdef",
    )  # fmt: skip


MATRIX = Matrix(
    [Heading("json", "go/a", (), 0), Heading("fortunes", "go/a", ("postgresql",), 1)],
    [
        Row("go/a", "go", "<b>A</b>", "goroutines",
            {"json": placed(2, 1), "fortunes": placed(2, 1)}),
        Row("rust/b", "rust", "B", "tasks", {"json": placed(1, 4), "fortunes": placed(3, 0.5)}),
        Row("go/c", "go", "C", "goroutines",
            {"json": placed(3, 0.5), "fortunes": BoardCell("changed", "its source changed")}),
    ],
    0.95,
)  # fmt: skip


def test_filters_and_weights_stand_in_the_address(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "board.html"
    path.write_text(render_html(MATRIX), encoding="utf-8")
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(path.as_uri())

    def servers() -> list[str]:
        return page.locator("tbody tr:visible th").all_inner_texts()

    assert servers() == ["go/a", "rust/b", "go/c"]
    page.select_option("select[name=language]", "go")
    assert servers() == ["go/a", "go/c"]
    page.select_option("select[name=language]", "")
    page.fill("th[data-scenario=json] input", "1")
    page.dispatch_event("th[data-scenario=json] input", "change")
    page.fill("th[data-scenario=fortunes] input", "3")
    page.dispatch_event("th[data-scenario=fortunes] input", "change")
    assert page.evaluate("location.hash") == "#w.json=1&w.fortunes=3"
    # b: the fourth root of 4 x 0.5^3; c has no place in fortunes.
    composites = page.locator("td.composite").all_inner_texts()
    assert servers() == ["go/a", "rust/b", "go/c"]
    assert composites == ["1.00x [0.91, 1.10]", "0.84x [0.76, 0.92]", "–"]

    again = browser.new_page()
    again.goto(f"{path.as_uri()}#w.json=1&database=none")
    assert again.locator("tbody tr:visible th").all_inner_texts() == ["rust/b", "go/a", "go/c"]
    assert again.locator("thead th[data-scenario]:visible").count() == 1
    assert faults == []
    page.close()
    again.close()


def test_an_address_of_another_board_and_filters_that_leave_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "board.html"
    path.write_text(render_html(MATRIX), encoding="utf-8")
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))

    def shown(address: str) -> tuple[list[str], bool]:
        # Another file each time, since a change of the address alone loads nothing.
        page.goto("about:blank")
        page.goto(f"{path.as_uri()}{address}")
        servers = page.locator("tbody tr:visible th").all_inner_texts()
        return servers, page.locator("#empty").is_visible()

    everybody = ["go/a", "rust/b", "go/c"]
    assert shown("#language=cobol&kind=&scenario=gone&database=oracle") == (everybody, False)
    assert page.locator("thead th[data-scenario]:visible").count() == 2
    assert page.input_value("select[name=language]") == ""
    assert shown("#language=rust&kind=goroutines") == ([], True)
    assert shown("#scenario=json&database=postgresql")[1]
    for address in ("#w.json=abc", "#w.json=-1", "#w.json=Infinity", "#w.json=%", "#w.none=2"):
        assert shown(address) == (everybody, False)
        assert page.locator("#composite").is_hidden()
    # The sum of these is larger than a number can be, or too small to be told from none.
    for weight in ("1e308", "5e-324"):
        assert shown(f"#w.json={weight}&w.fortunes={weight}")[0] == ["rust/b", "go/a", "go/c"]
        composites = page.locator("td.composite").all_inner_texts()
        assert composites == ["1.41x [1.29, 1.56]", "1.00x [0.91, 1.10]", "–"]
    assert faults == []
    page.close()
