"""The gate as a CI uses it: a baseline in a file, another clone, a slowed server, exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.command_line import webdyno
from support.git_folder import git
from support.output_schemas import validated
from support.quiet import first_in_line

ROOT = Path(__file__).resolve().parents[2]

STUDY = """
name = "guard"
title = "Guard"
question = "Did it become slower?"
servers = ["python/bound"]
scenarios = ["hello"]
metrics = ["throughput_rps", "cpu_us_per_request"]
margin = 0.2
budget = "180s"
[[loads]]
name = "closed-4"
kind = "closed"
connections = 4
duration = "600ms"
[warmup]
min = "300ms"
max = "5s"
answers = 100
cpu = "200ms"
[blocks]
# Two of them may be spoilt: three are needed.
min = 3
max = 5
"""


class Clone:
    """A checkout of a team's own servers, with a state of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder / "content", folder / "home"
        shutil.copytree(
            ROOT / "tests" / "servers" / "python" / "bound",
            self.folder / "servers" / "python" / "bound",
        )
        (self.folder / "studies").mkdir()
        (self.folder / "studies" / "guard.toml").write_text(STUDY)

    def commit(self) -> None:
        git(self.folder, "init", "-q", "-b", "main")
        git(self.folder, "add", "servers", "studies")
        git(self.folder, "commit", "-q", "-m", "one")

    def webdyno(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "WEBDYNO_HOME": str(self.home), "PYTHONPATH": str(ROOT / "src")}
        return webdyno("--content", str(self.folder), *arguments, env=env)

    def trials(self, run: str) -> set[str]:
        """When each trial of a run was begun."""
        path = self.folder / "trials.json"
        done = self.webdyno("report", run, "--json", str(path))
        assert done.returncode == 0, done.stderr
        return {trial["started"] for trial in json.loads(path.read_text())["trials"]}

    def slow_down(self) -> None:
        program = self.folder / "servers" / "python" / "bound" / "main.py"
        text = program.read_text()
        assert "def burns(work: int = 2)" in text
        program.write_text(text.replace("def burns(work: int = 2)", "def burns(work: int = 8)"))


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    clone = Clone(tmp_path_factory.mktemp("first"))
    clone.commit()
    return clone


@pytest.fixture(scope="module")
def baseline(first: Clone) -> Path:
    path = first.folder / "baseline.json"
    with first_in_line():  # Else too few of its trials may count, beside other tests.
        done = first.webdyno("run", "guard", "--plain", "--json", str(path))
    assert done.returncode == 0, done.stderr
    return path


@pytest.mark.concurrent
def test_a_stored_run_is_judged(first: Clone, baseline: Path) -> None:
    # The last run is the baseline's own, or the gate's beside it.
    stored = first.webdyno("gate", "latest", "--baseline", str(baseline))
    assert stored.returncode == 0, stored.stdout + stored.stderr
    assert "no regression beyond 20% in 2 figures" in stored.stdout


@pytest.mark.long
def test_the_same_server_passes(first: Clone, baseline: Path, tmp_path: Path) -> None:
    junit, again = tmp_path / "junit.xml", tmp_path / "again.json"
    done = first.webdyno(
        "gate", "--baseline", str(baseline), "--unpaired",
        "--junit", str(junit), "--run-json", str(again),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "measured at another time: --unpaired was given" in " ".join(done.stdout.split())
    assert "no regression beyond 20% in 2 figures" in done.stdout
    suite = ElementTree.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "0")
    # What was run is a run like any other: the stored one is judged as the file was.
    stored = first.webdyno("gate", "latest", "--baseline", str(baseline))
    assert stored.returncode == 0, stored.stdout + stored.stderr
    assert len(json.loads(again.read_text())["sentinels"]) >= 3


@pytest.mark.long
def test_a_slower_server_fails_beside_its_baseline_in_another_clone(
    first: Clone, baseline: Path, tmp_path: Path
) -> None:
    clone = Clone(tmp_path / "clone")
    shutil.copytree(first.folder / ".git", clone.folder / ".git")
    clone.slow_down()
    junit, markdown, data, again = (
        tmp_path / name for name in ("junit.xml", "gate.md", "gate.json", "again.json")
    )
    done = clone.webdyno(
        "gate", "--baseline", str(baseline), "--run-json", str(again),
        "--junit", str(junit), "--markdown", str(markdown), "--json", str(data),
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    suite = ElementTree.parse(junit).getroot()
    assert int(suite.get("failures", "0")) >= 1
    assert "regression" in markdown.read_text()
    found = validated("compare", data.read_text())
    assert found["paired"]
    assert found["regressions"] >= 1
    by_metric = {row["metric"]: row for row in found["rows"]}
    # Four times the work for each answer.
    assert by_metric["cpu_us_per_request"]["ratio"] < 0.6
    assert by_metric["cpu_us_per_request"]["note"] == ""
    # The next baseline: today's server alone.
    kept = json.loads(again.read_text())
    assert {trial["entry"] for trial in kept["trials"]} == {"python/bound"}
    assert kept["servers"][0]["modified"]
    # The stored run holds both, and is judged as it was at once.
    assert clone.webdyno("gate", "latest", "--baseline", str(baseline)).returncode == 1
    alone = clone.webdyno("gate", str(again), "--baseline", str(baseline), "--across", "work")
    assert alone.returncode == 1
    compared = clone.webdyno("compare", str(baseline), str(again), "--across", "work")
    assert compared.returncode == 2
    assert "--across source" in compared.stderr


@pytest.mark.concurrent
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gate"], "needs --baseline"),
        (["gate", "--baseline", "nosuchrun"], "no run 'nosuchrun'"),
        (["gate", "--baseline", "missing.json"], "missing.json: no such file"),
        (["gate", "latest", "--baseline", "latest", "--blocks", "4"], "leave the run's name out"),
        (["gate", "latest", "--baseline", "latest", "--across", "worlds"], "--across worlds"),
    ],
)
def test_bad_input_is_two(first: Clone, baseline: Path, arguments: list[str], said: str) -> None:
    done = first.webdyno(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.concurrent
def test_the_history_shows_the_runs(first: Clone, baseline: Path, tmp_path: Path) -> None:
    page, data = tmp_path / "history.html", tmp_path / "history.json"
    done = first.webdyno("history", "guard", "--html", str(page), "--json", str(data))
    assert done.returncode == 0, done.stderr
    assert "python/bound" in done.stdout
    held = validated("history", data.read_text())
    assert held["places"][0]["points"][0]["value"] > 0
    assert "<svg" in page.read_text()


INTERRUPTED = """
import os, signal, sys
from webdyno.report.live.views import PlainView

shown = PlainView.event

def event(self, event):
    shown(self, event)
    if type(event).__name__ == "BlockFinished":
        os.kill(os.getpid(), signal.SIGINT)

PlainView.event = event
from webdyno.cli.main import main

raise SystemExit(main())
"""
"""The command line, interrupted after the first block."""


@pytest.mark.long
def test_an_interrupted_gate_goes_on(first: Clone, baseline: Path, tmp_path: Path) -> None:
    gate = ["--content", str(first.folder), "gate", "--baseline", str(baseline), "--blocks", "3"]
    stopped = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, *gate],
        cwd=ROOT, capture_output=True, text=True, timeout=240, check=False,
        env={**os.environ, "WEBDYNO_HOME": str(first.home), "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert stopped.returncode == 130, stopped.stdout + stopped.stderr
    run = stopped.stderr.strip().rpartition("--resume ")[2]
    assert "to continue, repeat the command with --resume" in stopped.stderr
    kept = first.trials(run)
    assert len(kept) == 3

    data = tmp_path / "gate.json"
    done = first.webdyno(*gate[2:], "--resume", run, "--json", str(data))
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(data.read_text())["paired"]
    made = first.trials(run)
    assert len(made) == 9
    assert kept <= made

    other = first.webdyno(*gate[2:-1], "4", "--resume", run)
    assert other.returncode == 2
    assert "finished" in other.stderr
