"""The reference of a study's keys is that of the code that reads them."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_is_that_of_the_manifests_and_leaves_no_key_unexplained() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "study_reference.py"))
    page = script["page"]()
    told = (ROOT / "docs" / "study-reference.md").read_text(encoding="utf-8")
    assert told == page, "run `.webdyno/venv/bin/python docs/study_reference.py`"
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert len(rows) > 40
    assert [row for row in rows if row.endswith("|  |")] == []
    for key in ("connections", "cores", "scale", "record", "build_times", "planning", "costs"):
        assert any(row.startswith(f"| `{key}` ") for row in rows), key
