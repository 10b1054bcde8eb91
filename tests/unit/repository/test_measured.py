"""What docs/measured.py keeps of a run of ours, and what it kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.docs_script import DOCS, docs_script
from support.synthetic_objective import build_objective_run


@pytest.mark.slow
def test_a_searched_rate_is_the_capacity_as_its_range_is() -> None:
    measured = docs_script("measured")["measured"]
    run = build_objective_run()
    cells = measured(
        run.model_copy(update={"study": run.study.model_copy(update={"published": []})})
    )
    rows = [row for cell in cells for row in cell["rows"] if row["rps"] and row["range"]]
    assert rows
    assert [row["entry"] for row in rows if not _is_within(row)] == []


@pytest.mark.parametrize("path", sorted((DOCS / "measured").glob("*.json")), ids=lambda p: p.stem)
def test_every_median_lies_within_its_range(path: Any) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    rows = [row for cell in cells for row in cell["rows"] if row["rps"] and row["range"]]
    assert rows
    assert [row["entry"] for row in rows if not _is_within(row)] == []


def _is_within(row: dict[str, Any]) -> bool:
    low, high = row["range"]
    return bool(low <= row["rps"] <= high)
