"""Two stored runs of which one is the baseline."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from support.small_run import a_run
from support.small_study import a_study, a_trial
from unit.ab.baselines.test_paired import METRICS, paired_run
from unit.cli.test_history_command import kept
from webdyno.cli.main import main
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run `old`, and a run `new` in pairs with it: as fast as its baseline beside
    it, and half as fast as `old` was."""
    folder = tmp_path_factory.mktemp("home")
    study = a_study(servers=["go/gin", "go/chi"], scenarios=["json"], metrics=METRICS)
    seen = [
        a_trial(name, block, 2000.0 + block)
        for name in ("go/gin", "go/chi")
        for block in range(6)
    ]  # fmt: skip
    store = Store.open(folder / "webdyno.sqlite")
    kept(store, a_run("old", seen, study=StoredStudy.of(study)), folder)
    kept(store, paired_run(), folder)
    store.close()
    return folder


@pytest.fixture
def home(two_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of `two_runs`."""
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    shutil.copytree(two_runs, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def nothing_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "webdyno.ab.baselines.paired_study.pairs_of", lambda *_: pytest.fail("it was built")
    )


def judged(home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    file = home / "gate.json"
    code = main(["gate", *arguments, "--json", str(file)])
    return code, json.loads(file.read_text())
