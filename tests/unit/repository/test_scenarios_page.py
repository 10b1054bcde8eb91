"""The page about the scenarios says what their manifests say today."""

from __future__ import annotations

import runpy
from pathlib import Path

from webdyno.catalog import Catalog

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_is_that_of_the_manifests() -> None:
    catalog = Catalog([ROOT])
    page = runpy.run_path(str(ROOT / "docs" / "scenarios_page.py"))["page"](catalog)
    told = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    assert told == page, "run `.webdyno/venv/bin/python docs/scenarios_page.py`"
    for scenario in catalog.scenarios():
        assert scenario.manifest.review, f"{scenario.id} tells nothing for review of the source"
