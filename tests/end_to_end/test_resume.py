"""Runs killed in the midst of a search, or after loads were fitted, go on where they were."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from end_to_end.test_run import ROOT, processes_with, stored
from support.brief_noise import NOISE_S
from webdyno.store.records import RunRecord
from webdyno.trial.starting.start import mark_of

pytestmark = pytest.mark.concurrent

Cli = Callable[..., subprocess.CompletedProcess[str]]

STUDY = """
name = "{name}"
title = "Killed"
question = "Does a killed run go on where it was?"
servers = ["node/http"]
scenarios = ["hello"]
budget = "120s"
{load}
[warmup]
min = "200ms"
max = "300ms"
[blocks]
min = 2
max = 2
"""

SEARCHED = """
[[loads]]
kind = "objective"
objective = "p90 < 500ms"
errors = "< 5%"
step = "1s"
max_rate = "200/s"
"""

SCALED = """
[[loads]]
name = "fitted"
kind = "open"
phases = ["4000k/s:1s"]
scale = "auto"
connections = 64
"""

KILLED_WHEN = """
import os, signal, sys
from webdyno.report.live.views import PlainView

shown, seen = PlainView.event, {{}}

def event(self, event):
    kind = type(event).__name__
    seen[kind] = seen.get(kind, 0) + 1
    if {when}:
        os.kill(os.getpid(), signal.SIGKILL)
    shown(self, event)

PlainView.event = event
from webdyno.run.bench import observe
from webdyno.cli.main import main

observe.NOISE_S = {noise_s}
sys.argv[1:] = ["run", {study!r}, "--plain"]
raise SystemExit(main())
"""
"""The command line itself, whose process is killed the moment something happens in it."""


@pytest.fixture
def killed_when(
    tmp_path: Path, home: Path, environment: dict[str, str]
) -> Callable[[str, str, str], tuple[Path, RunRecord]]:
    """Run a study until `when` is true of an event; gives its file, and what the store holds."""

    def run(name: str, load: str, when: str) -> tuple[Path, RunRecord]:
        study = tmp_path / f"{name}.toml"
        study.write_text(STUDY.format(name=name, load=load))
        code = KILLED_WHEN.format(when=when, study=str(study), noise_s=NOISE_S)
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200,
        )  # fmt: skip
        assert done.returncode == 128 + signal.SIGKILL, done.stderr
        record = stored(home)
        assert (record.status, record.study.name) == ("running", name)
        assert not processes_with(f"WEBDYNO_TRIAL={mark_of(record.id)}")
        return study, record

    return run


Killed = Callable[[str, str, str], tuple[Path, RunRecord]]


@pytest.mark.long
def test_a_run_killed_in_the_midst_of_a_search_goes_on(
    cli: Cli, home: Path, killed_when: Killed
) -> None:
    study, killed = killed_when(
        "killed-search",
        SEARCHED,
        # As the second trial's third step begins: two of its steps are lost with it.
        'kind == "SearchStepStarted" and seen.get("TrialFinished") == 1 and event.step == 3',
    )
    (kept,) = killed.trials
    assert kept.search is not None

    done = cli("run", str(study), "--plain", "--resume", "latest")
    assert done.returncode == 0, done.stderr
    resumed = stored(home)
    assert (resumed.id, resumed.status) == (killed.id, "finished")
    assert [(trial.index, trial.block) for trial in resumed.trials] == [(0, 0), (1, 1)]
    assert resumed.trials[0] == kept
    again = resumed.trials[1]
    assert again.status == "ok", again.reason
    assert again.search is not None
    # The interrupted search was made anew, from its first step.
    assert again.search.kind == "at-least"
    assert [step.outcome for step in again.search.steps].count("held") >= 1
    assert again.search.capacity_rps == pytest.approx(200, rel=0.01)


@pytest.mark.long
def test_a_resumed_run_keeps_the_load_that_was_fitted(
    cli: Cli, home: Path, killed_when: Killed
) -> None:
    _, killed = killed_when(
        "killed-scaled", SCALED, 'kind == "TrialStarted" and seen.get("TrialFinished") == 1'
    )
    assert killed.fitted_loads is not None
    (fitted,) = killed.fitted_loads
    assert fitted.rate_factor < 1  # No server carries 4 million requests a second.

    done = cli("run", "--plain", "--resume", "latest")
    assert done.returncode == 0, done.stderr
    resumed = stored(home)
    assert (resumed.id, resumed.status) == (killed.id, "finished")
    assert resumed.fitted_loads == killed.fitted_loads
    assert "(asked: 4000k/s:1s)" not in done.stderr  # It was not measured again.
    assert [trial.index for trial in resumed.trials] == [0, 1]
    assert resumed.trials[0] == killed.trials[0]
    rate = 4e6 * fitted.rate_factor
    for trial in resumed.trials:
        assert trial.load == "fitted"
        assert trial.measurement is not None, trial.reason
        assert trial.measurement.counts.offered == pytest.approx(rate, rel=0.05)


@pytest.mark.long
def test_a_run_killed_while_its_loads_are_fitted_fits_them_when_resumed(
    cli: Cli, home: Path, killed_when: Killed
) -> None:
    study, killed = killed_when(
        "killed-fitting", SCALED, 'kind == "LoadWentOn" and "TrialFinished" not in seen'
    )
    assert killed.fitted_loads is None
    assert killed.trials == []

    done = cli("run", str(study), "--plain", "--resume", "latest")
    assert done.returncode == 0, done.stderr
    resumed = stored(home)
    assert (resumed.id, resumed.status) == (killed.id, "finished")
    assert resumed.fitted_loads is not None
    assert len(resumed.trials) == 2
