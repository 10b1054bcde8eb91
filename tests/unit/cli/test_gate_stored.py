"""`webdyno gate RUN`: a stored run is judged as it was asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unit.ab.test_paired import METRICS, paired_run
from unit.cli.test_history_command import kept
from unit.run.test_compare_runs import a_run
from unit.run.test_plan_and_judge import a_study, a_trial
from webdyno.cli.main import main
from webdyno.store.store import Store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a run `old`, and a run `new` in pairs with it: as fast as its baseline beside it, and
    half as fast as `old` was."""
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    study = a_study(servers=["go/gin", "go/chi"], scenarios=["json"], metrics=METRICS)
    seen = [
        a_trial(name, block, 2000.0 + block)
        for name in ("go/gin", "go/chi")
        for block in range(6)
    ]  # fmt: skip
    store = Store.open(tmp_path / "webdyno.sqlite")
    kept(store, a_run("old", seen, study=study.model_dump(mode="json")), tmp_path)
    kept(store, paired_run(), tmp_path)
    store.close()
    return tmp_path


def judged(home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    file = home / "gate.json"
    code = main(["gate", *arguments, "--json", str(file)])
    return code, json.loads(file.read_text())


def test_a_run_of_pairs_is_compared_in_pairs(home: Path) -> None:
    code, found = judged(home, "new", "--baseline", "old")
    assert (code, found["paired"]) == (0, True)


def test_unpaired_compares_a_run_of_pairs_with_the_stored_figures(home: Path) -> None:
    code, found = judged(home, "new", "--baseline", "old", "--unpaired")
    assert (code, found["paired"]) == (1, False)
    assert found["cautions"][0] == (
        "measured at another time: --unpaired was given; run new measured the baseline again, "
        "beside"
    )
    # Not the baseline's second entries.
    assert {row["entry"] for row in found["rows"]} == {"go/gin", "go/chi"}


def test_a_run_that_is_its_own_baseline_is_told(home: Path) -> None:
    code, found = judged(home, "old", "--baseline", "old")
    assert code == 0
    assert found["cautions"][0] == "both are run old: it is compared with itself"
