"""What `webdyno hit --objective` writes of a search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from unit.run.test_judge_objective import a_search
from webdyno.catalog.load import Objective
from webdyno.cli.hit import objective
from webdyno.generators.specification import OpenShape, shape_of


def test_no_upper_end_is_null_in_its_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = Objective.model_validate({"kind": "objective", "objective": "p99 < 100ms"})
    shape = shape_of(load.at(1_000.0, 2.0))
    assert isinstance(shape, OpenShape)
    found = objective.Found(shape, _Anything(), a_search(1_000.0, "at-least"))
    monkeypatch.setattr(objective, "_search", lambda *_: found)
    monkeypatch.setattr(objective, "warnings", lambda *_: [])
    monkeypatch.setattr(objective.view, "summary", lambda *_: "")
    monkeypatch.setattr(objective.export, "document", lambda *_: {})
    path = tmp_path / "rate.json"
    assert objective.search("", _Anything(), load, Console(), path) == 0
    text = path.read_text()
    assert "Infinity" not in text
    search = json.loads(text)["search"]
    assert (search["kind"], search["low_rps"] > 0, search["high_rps"]) == ("at-least", True, None)


class _Anything:
    """Stands for what no one looks at."""

    def model_copy(self, **_: Any) -> Any:
        return self
