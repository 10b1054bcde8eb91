"""The facade as a notebook uses it: a study loaded, run, and read as objects and frames."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import webdyno
from support.shared_builds import home_with_shared_builds
from webdyno.runtime.home import Home
from webdyno.trial.events import Event, RunFinished, RunStarted, SearchStepStarted

pytestmark = pytest.mark.concurrent

STUDY = """
name = "tiny"
title = "Tiny"
question = "Does the facade work?"
servers = ["node/http"]
control = "node/http"
scenarios = ["hello"]
[[loads]]
kind = "closed"
connections = 4
duration = "500ms"
[warmup]
min = "100ms"
max = "200ms"
[blocks]
min = 2
max = 2
"""


@pytest.fixture(autouse=True)
def home(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = home_with_shared_builds(tmp_path / "home", tmp_path_factory)
    monkeypatch.setenv("WEBDYNO_HOME", str(made))


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(STUDY)
    return path


def test_a_study_is_run_and_read_as_frames(study: Path, tmp_path: Path) -> None:
    seen: list[Event] = []
    result = webdyno.run_study(
        webdyno.load_study(str(study), budget="30s"),
        listener=seen.append,
    )
    trials = result.trials()
    assert len(trials) == 4
    assert set(trials["status"]) == {"ok"}, [t.reason for t in result.trial_records]
    assert (trials["throughput_rps"] > 0).all()
    assert (trials["latency_p50_us"] <= trials["latency_p99_us"]).all()
    assert [verdict.scenario for verdict in result.verdicts] == ["hello"]
    assert set(result.ratios().columns) >= {"of", "to", "estimate", "low", "high"} or not len(
        result.ratios()
    )
    assert isinstance(seen[0], RunStarted)
    assert isinstance(seen[-1], RunFinished)
    assert result.to_dict()["study"]
    result.html(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == result.html()
    assert webdyno.load_run(result.record.id).record == result.record
    assert not (Home.default().temporary / str(os.getpid())).exists()


def test_wrong_names_are_user_errors(study: Path) -> None:
    with pytest.raises(webdyno.UserError, match="no study or scenario 'nothing'"):
        webdyno.load_study("nothing")
    with pytest.raises(webdyno.UserError, match="is not a duration"):
        webdyno.load_study(str(study), budget="soon")


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        webdyno.nonsense  # noqa: B018


OBJECTIVE = """
name = "rate"
title = "Rate"
question = "Is a rate searched for, in a server that really runs?"
servers = ["node/http"]
scenarios = ["hello"]
[[loads]]
kind = "objective"
# A busy machine holds it, too.
objective = "p90 < 5s"
errors = "< 5%"
step = "1s"
max_rate = "200/s"
[warmup]
min = "200ms"
max = "300ms"
[blocks]
min = 1
max = 1
"""


def test_a_rate_is_searched_for_and_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "rate.toml"
    path.write_text(OBJECTIVE)
    seen: list[Event] = []
    result = webdyno.run_study(
        webdyno.load_study(str(path), budget="60s"),
        listener=seen.append,
    )
    (trial,) = result.trial_records
    assert trial.status == "ok", trial.reason
    found = trial.search
    assert found is not None
    # Any machine answers 200 requests a second: the bound is what ends the search.
    assert (found.kind, found.capacity_rps) == ("at-least", pytest.approx(200, rel=0.01))
    assert "max_rate is 200/s" in found.reason
    assert found.probe_rps > 25  # Where it would begin if nothing had been answered before.
    held = [step for step in found.steps if step.outcome == "held"]
    assert held[-1].rate_rps == pytest.approx(200, rel=0.01)
    assert trial.measurement is not None
    assert trial.measurement.throughput_rps == pytest.approx(200, rel=0.3)
    assert any(isinstance(event, SearchStepStarted) for event in seen)
    assert result.verdicts[0].metric == "capacity_rps"
    assert "Latency against the rate" in result.html()
