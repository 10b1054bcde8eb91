"""What `webdyno hit --objective` writes of a search."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from support.engine_output import CLOSED
from support.output_schemas import validated
from support.searched_trials import a_search
from unit.cli.sample_outputs import URL, load_result, spec_of
from webdyno.catalog.loads.load import Objective
from webdyno.cli.hit import objective, target
from webdyno.cli.main import NO_READER, main
from webdyno.generators.specification import shape_of


def test_no_upper_end_is_null_in_its_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = Objective.model_validate({"kind": "objective", "objective": "p99 < 100ms"})
    shape = shape_of(load.at(1_000.0, 2.0))
    found = objective.SearchOutcome(shape, load_result(), a_search(1_000.0, "at-least"))
    monkeypatch.setattr(objective, "_search", lambda *_: found)
    path = tmp_path / "rate.json"
    assert objective.search(URL, spec_of(CLOSED), load, Console(), path) == 0
    held = validated("hit", path.read_text(encoding="utf-8"))
    assert (held["load"]["kind"], held["load"]["max_rate"]) == ("objective", None)
    search = held["search"]
    assert (search["kind"], search["low_rps"] > 0, search["high_rps"]) == ("at-least", True, None)


@pytest.mark.parametrize("asked", [True, False])
def test_a_reader_that_goes_away_ends_no_search_whose_result_is_asked_for(
    asked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`webdyno hit --objective … --json F | head -1`."""
    load = Objective.model_validate({"kind": "objective", "objective": "p99 < 100ms"})
    shape = shape_of(load.at(1_000.0, 2.0))
    ended = []

    def searched(*_: Any) -> objective.SearchOutcome:
        for number in range(3):
            print(f"step {number}", flush=True)
        ended.append(True)
        return objective.SearchOutcome(shape, load_result(), a_search(1_000.0, "met"))

    monkeypatch.setattr(objective, "_search", searched)
    monkeypatch.setattr(target, "check_reachable", lambda *_, **__: False)
    path = tmp_path / "rate.json"
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        files = ["--json", str(path)] if asked else []
        code = main(["hit", "http://127.0.0.1:1/", "--objective", "p99 < 100ms", *files])
    assert code == NO_READER
    assert (ended, path.exists()) == ([True] * asked, asked)
