"""Whole trials, from the command line: who cheats is not ranked, and the record says why."""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path

import pytest

from support.command_line import webdyno
from support.quiet import first_in_line
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.runtime.home import Home
from webdyno.store.store import Store
from webdyno.trial.proof import beforehand

pytestmark = pytest.mark.concurrent

ROOT = Path(__file__).parents[2]

STUDY = """
name = "cheats"
title = "Cheats"
question = "Is every cheat found?"
servers = {servers}
scenarios = ["json"]
budget = "240s"
sentinel = false

[[loads]]
kind = "closed"
connections = 32
duration = "1s"

[warmup]
min = "0.3s"
max = "4s"
answers = 500

[blocks]
min = 3
# More where a trial was not shown to be warm.
max = 6
"""

REASONS = {
    "constant": "no answer is repeated.*came more than once",
    "constant-between": r"no answer is repeated.*\(37, 74, 111",
    "drops-one": "[0-9]+ .*requests.* answered",
    "starves": "(1[0-9]|20) of 32 connections got less than a tenth of the [0-9,]+ answers",
    "error-text": "'error' is none of the ten keys|wrong answers under load: failed check [0-9]+",
}


def test_cheats_fail_their_trials_and_are_not_ranked(tmp_path: Path) -> None:
    fail_and_are_not_ranked(tmp_path, "constant", "error-text")


@pytest.mark.long
def test_every_cheat_fails_its_trials_and_is_not_ranked(tmp_path: Path) -> None:
    fail_and_are_not_ranked(tmp_path, *REASONS)


def fail_and_are_not_ranked(tmp_path: Path, *cheats: str) -> None:
    """Beside an honest server, each of the `cheats`, for its reason."""
    study, results = tmp_path / "cheats.toml", tmp_path / "results.json"
    servers = ["python/cheat", *(f"python/cheat@{cheat}" for cheat in cheats)]
    study.write_text(STUDY.replace("{servers}", json.dumps(servers)))
    command = ["--content", str(ROOT / "tests"), "run", str(study), "--plain"]
    environment = {
        **os.environ,
        "WEBDYNO_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(ROOT / "src"),
    }
    with first_in_line():
        done = webdyno(*command, "--json", str(results), env=environment)
    assert results.exists(), done.stderr or done.stdout
    document = json.loads(results.read_text())
    trials = {trial["variant"]: trial for trial in document["trials"]}
    assert trials.keys() == {"default", *cheats}
    assert trials["default"]["status"] == "ok", trials["default"]
    for cheat in cheats:
        assert trials[cheat]["status"] == "failed", trials[cheat]
        assert re.search(REASONS[cheat], trials[cheat]["reason"]), trials[cheat]
    for verdict in document["verdicts"]:
        assert verdict["groups"] == [["python/cheat"]]
        assert {item["entry"] for item in verdict["not_ranked"]} == {
            f"python/cheat@{cheat}" for cheat in cheats
        }


def test_who_is_honest_in_its_last_crowd_alone_is_caught_in_the_one_before_the_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In half of the trials; here in all of them."""
    monkeypatch.setattr(beforehand, "_ONE_IN", 1)
    study = StudyManifest.model_validate(
        {
            "name": "crowds",
            "title": "crowds",
            "question": "does it count the loads?",
            "servers": ["python/cheat", "python/cheat@everywhere-until-the-last"],
            "scenarios": ["hello"],
            "loads": [{"kind": "closed", "connections": 32, "duration": "1s"}],
            "warmup": {"min": 0.3, "max": 4, "answers": 500},
            "blocks": {"min": 1, "max": 1},
            "budget": "120s",
            "sentinel": False,
        }
    )
    catalog, home = Catalog.with_overlay(ROOT / "tests"), Home(tmp_path / "home")
    with first_in_line(), contextlib.closing(Store.open(tmp_path / "store.sqlite")) as store:
        run = run_study(study, RunEnvironment(catalog, home, store))
    reasons = {trial.variant: trial.lie or trial.reason for trial in run.trials}
    assert reasons.keys() == {"default", "everywhere-until-the-last"}
    assert reasons["default"] == ""
    assert "an unknown path is answered 404" in reasons["everywhere-until-the-last"]
