"""What a notebook shows: short texts, tables as HTML, progress, and frames that say why."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import warnings
from collections.abc import Callable

import pandas as pd
import pytest

import webdyno
from support.synthetic_run import build_run, many_trials
from webdyno.api import Run
from webdyno.catalog.studies.study import StudyManifest
from webdyno.report.live import notebook as live_notebook
from webdyno.report.live.notebook import NotebookView
from webdyno.store.records import RunRecord
from webdyno.trial.events import (
    BuildFinished,
    BuildStarted,
    LoadWentOn,
    RunStarted,
    TrialFinished,
    TrialStarted,
)


@functools.cache
def made() -> RunRecord:
    """Not for every process that only collects the tests."""
    return build_run(blocks=3, seconds=2)


def test_the_package_lists_its_public_names() -> None:
    # In a fresh interpreter: what other tests have imported would be listed, too.
    code = "import webdyno; print(*dir(webdyno))"
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=here)
    listed = done.stdout
    assert listed.split() == sorted(webdyno.__all__)


@pytest.mark.parametrize(
    ("what", "has"),
    [
        (
            lambda: Run(made()),
            "Run(id='20260504-093000-quick', study='quick', status='finished', blocks=3",
        ),
        (made, "trials=48"),
        (lambda: made().verdicts[0], "groups=[["),
        (lambda: made().trials[0], "status='ok'"),
        (lambda: made().trials[0].measurement, "throughput_rps="),
        (lambda: webdyno.load_study("quick"), "StudyManifest(name='quick', servers=["),
        (lambda: webdyno.load_study("sha256-spike"), "… "),
    ],
    ids=["run", "run record", "verdict", "trial", "measurement", "study", "large study"],
)
def test_a_repr_is_short(what: Callable[[], object], has: str) -> None:
    assert has in repr(what())
    assert len(repr(what())) < 400


def test_a_run_shows_its_answer_and_every_server() -> None:
    html = Run(made())._repr_html_()
    assert "rust/axum" in html
    assert "1.0" in html
    for entry in {trial.entry for trial in made().trials}:
        assert entry in html
    assert len(html) < 30_000


def test_a_verdict_and_a_trial_are_tables() -> None:
    verdict = Run(made()).verdicts[0]
    html = verdict._repr_html_()
    assert html is not None
    assert "first leads by" in html
    assert verdict.not_ranked[0].reason in html
    failed = next(trial for trial in Run(made()).trial_records if trial.status != "ok")
    html = failed._repr_html_()
    assert html is not None
    assert failed.entry in html
    assert failed.reason.split("<")[0][:20] in html


def test_text_of_strangers_is_escaped() -> None:
    hostile = (
        made().trials[0].model_copy(update={"reason": "<script>x</script>", "status": "failed"})
    )
    html = Run(made().model_copy(update={"trials": [hostile]})).trial_records[0]._repr_html_()
    assert html is not None
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_an_empty_frame_says_why() -> None:
    bare = Run(made().model_copy(update={"trials": [], "verdicts": []}))
    with pytest.warns(UserWarning, match="has no trials"):
        frame = bare.trials()
    assert frame.empty
    assert "server" in frame.columns
    assert frame.attrs["empty"].startswith("run 20260504-093000-quick has no trials")
    alone = made().verdicts[0].model_copy(update={"ratios": [], "groups": [["a"]]})
    with pytest.warns(UserWarning, match="Only a could be ranked"):
        frame = Run(made().model_copy(update={"verdicts": [alone]})).ratios()
    assert {"of", "to", "estimate"} <= set(frame.columns)


def test_a_frame_with_rows_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(Run(made()).trials()) == len(made().trials)
        assert isinstance(Run(made()).ratios(), pd.DataFrame)


class Cell:
    """A cell's output, which keeps all it was shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.shown.append(data["text/plain"])


def test_a_notebook_shows_how_far_a_run_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_notebook, "EVERY_S", 0.0)
    cell = Cell()
    view = NotebookView(cell)
    study = StudyManifest.model_validate(made().study.as_stored())
    view.event(RunStarted(study=study, total_entries=16, budget_s=60.0))
    view.event(BuildStarted(server="go/net-http"))
    assert "building go/net-http" in cell.shown[-1]
    view.event(BuildFinished(server="go/net-http", seconds=1.0, cached=False))
    trial = made().trials[0]
    view.event(
        TrialStarted(
            server=trial.server, scenario=trial.scenario, load=trial.load, block=0, order=0
        )
    )
    assert trial.entry in cell.shown[-1]
    view.event(TrialFinished(record=trial))
    assert "so far" in cell.shown[-1]
    view.close()
    assert cell.shown[-1] == ""


def test_pictures_are_not_drawn_for_every_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_notebook, "EVERY_S", 3600.0)
    cell = Cell()
    view = NotebookView(cell)
    for _ in range(100):
        view.event(LoadWentOn(elapsed_s=1.0, rps=10.0, errors=0))
    assert len(cell.shown) == 1


@pytest.mark.slow
def test_the_repr_of_a_large_run_stays_short() -> None:
    assert len(repr(Run(many_trials(300)))) < 200
