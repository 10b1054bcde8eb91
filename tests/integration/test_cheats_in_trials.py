"""Whole trials, from the command line: who cheats is not ranked, and the record says why."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from support.command_line import webdyno
from support.quiet import first_in_line

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
