"""The reference of a study's keys is that of the code that reads them."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from webdyno.catalog.studies.study import StudyManifest

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


def test_keys_that_take_a_list_say_so() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "study_reference.py"))["page"]()
    closed = page.partition('kind = "closed"')[2]
    assert "| `connections` | whole number or list |" in closed
    assert "| `cores` | whole number or list |" in page
    assert "| `threads` | whole number |" in page


def models_in(annotation: Any) -> set[type[BaseModel]]:
    """The tables that a key may hold, whether one, a list, or one of several kinds."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    return {model for inner in get_args(annotation) for model in models_in(inner)}


def test_every_table_of_a_study_has_a_section() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "study_reference.py"))
    told = {model for _, model, _ in script["SECTIONS"]}
    fields = StudyManifest.model_fields.values()
    tables = {model for field in fields for model in models_in(field.annotation)}
    assert len(tables) > 10
    # A file of published figures is no table of a study's; it has pages of its own.
    assert {model.__name__ for model in tables - told} == {"PublishedManifest"}
