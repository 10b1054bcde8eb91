"""The page about the published comparisons says what the checks say today."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_is_that_of_the_figures_and_the_checks() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "studies_page.py"))["page"]()
    told = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    assert told == page, "run `.webdyno/venv/bin/python docs/studies_page.py`"
    for path in (ROOT / "studies" / "published").glob("*.toml"):
        assert f"./webdyno claims {path.stem}\n" in page
