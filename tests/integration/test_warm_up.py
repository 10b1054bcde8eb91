"""Warm-ups of real servers: one that is faster after so many requests, and one on the JVM."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.hello_server import write_hello_server
from support.quiet import first_in_line, first_of
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.judgement.judge import judge
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.runtime.home import Home
from webdyno.runtime.toolchains import find
from webdyno.store.records import TrialRecord
from webdyno.store.store import Store

COLD = "count = [0, {most}]"
STEP = """
count[0] += 1
if count[0] < count[1]:
    end = time.thread_time() + 0.001
    while time.thread_time() < end:
        pass
"""
"""A millisecond of work in each of the first requests, as if it were interpreted; then none."""

MISSING_JAVA = [spec for spec in ("java >= 17", "javac >= 17", "mvn >= 3.6.3") if not find(spec).ok]


def study(
    server: str, scenario: str, warmup: dict[str, Any], duration_s: float, **more: Any
) -> StudyManifest:
    load = {"kind": "closed", "connections": 8, "duration": duration_s, "timeout": "5s", **more}
    fields: dict[str, Any] = {
        "name": "warm",
        "title": "warm",
        "question": "Is it warm?",
        "servers": [server],
        "scenarios": [scenario],
        "loads": [load],
        "warmup": warmup,
        "blocks": {"min": 1, "max": 1},
        "budget": "120s",
        "sentinel": False,
    }
    return StudyManifest.model_validate(fields)


def warm(trial: TrialRecord) -> bool:
    return trial.status == "ok" and trial.is_evidence


def cold(trial: TrialRecord) -> bool:
    return trial.status == "ok" and not trial.is_evidence


def a_trial(
    asked: StudyManifest, tmp_path: Path, home: Home, wanted: Callable[[TrialRecord], bool]
) -> TrialRecord:
    """The first trial of `asked` that is as `wanted`, or the last; its verdict is checked to
    agree with it."""

    def make() -> TrialRecord:
        store = Store.open(tmp_path / "store.sqlite")
        environment = RunEnvironment(Catalog.with_overlay(tmp_path), home, store)
        return run_study(asked, environment).trials[0]

    with first_in_line():
        trial = first_of(make, wanted)
    assert trial.status == "ok", trial.reason
    (verdict,) = judge(asked, [trial])
    warming = [left.entry for left in verdict.not_ranked if left.kind == "still-warming"]
    assert warming == ([] if trial.is_evidence else [trial.entry])
    assert not verdict.settled
    return trial


@pytest.mark.concurrent
def test_a_warm_up_too_short_to_tell_settles_nothing(tmp_path: Path) -> None:
    write_hello_server(tmp_path, "jumps", COLD.format(most=500), STEP)
    short = {"min": 0.2, "max": 0.3}
    asked = study("python/jumps", "hello", short, 0.5)
    trial = a_trial(asked, tmp_path, Home(tmp_path / "home"), cold)
    assert not trial.is_evidence
    assert trial.warmup is not None
    assert trial.warmup.reason.startswith("it had ")
    assert {flag.code for flag in trial.flags} & {"never-steady", "perhaps-cold"}


@pytest.mark.long
def test_a_cold_plateau_taken_for_warm_is_found_by_the_measurement(tmp_path: Path) -> None:
    # Little work is asked for, so the plateau may pass; the jump then comes while it is measured.
    write_hello_server(tmp_path, "jumps", COLD.format(most=1500), STEP)
    short = {"min": 0.5, "max": 1.2, "answers": 100, "cpu": "0.1s"}
    asked = study("python/jumps", "hello", short, 3.0)
    trial = a_trial(asked, tmp_path, Home(tmp_path / "home"), cold)
    assert not trial.is_evidence
    assert "still getting faster" in trial.not_steady or "of warm-up" in trial.not_steady


def test_by_default_it_is_measured_warm(tmp_path: Path) -> None:
    write_hello_server(tmp_path, "jumps", COLD.format(most=400), STEP)
    asked = study("python/jumps", "hello", {"max": "30s"}, 1.0)
    trial = a_trial(asked, tmp_path, Home(tmp_path / "home"), warm)
    assert trial.not_steady == ""
    assert trial.warmup is not None
    assert (trial.warmup.answers or 0) > 400
    # A cold answer takes more than a millisecond.
    assert trial.measurement is not None
    assert trial.measurement.cpu_us_per_request["server"] < 900


@pytest.mark.long
@pytest.mark.skipif(shutil.which("wrk") is None, reason="not installed: wrk")
def test_a_server_is_warm_whoever_measures_it(tmp_path: Path) -> None:
    write_hello_server(tmp_path, "jumps", COLD.format(most=400), STEP)
    asked = study("python/jumps", "hello", {"max": "30s"}, 1.0, generator="wrk")
    trial = a_trial(asked, tmp_path, Home(tmp_path / "home"), warm)
    assert trial.not_steady == ""
    assert trial.warmup is not None
    assert trial.warmup.steady
    assert (trial.warmup.answers or 0) > 400
    # What the engine used for an answer is not to be compared with what wrk does.
    assert trial.warmup.steady_generator_us is None


@pytest.mark.long
@pytest.mark.skipif(bool(MISSING_JAVA), reason=f"not installed: {', '.join(MISSING_JAVA)}")
def test_a_jvm_is_warmed_until_its_compilers_are_quiet(tmp_path: Path) -> None:
    trial = a_trial(study("java/servlet", "json", {}, 2.0), tmp_path, Home.default(), warm)
    warmup = trial.warmup
    assert warmup is not None
    assert warmup.steady, warmup.reason
    # It did compile, then no more: else the measurement would not count.
    assert (warmup.compiler_s or 0.0) > 0.2
    assert (warmup.answers or 0) >= 20_000 or (warmup.cpu_s or 0.0) >= 10
    assert trial.not_steady == ""
