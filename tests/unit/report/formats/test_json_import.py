"""An exported run is read as the run that it was; any other file is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.small_run import a_run
from support.small_study import trials
from webdyno.errors import UserError
from webdyno.report.formats.json_export import dumps
from webdyno.report.formats.json_import import read_export
from webdyno.run.comparison.compare import compare_runs
from webdyno.store.records import FittedLoadRecord


def test_an_exported_run_compares_as_the_stored_one(tmp_path: Path) -> None:
    old, new = a_run("old", trials(6)), a_run("new", trials(6, chi=3000.0))
    (tmp_path / "old.json").write_text(dumps(old))
    read = read_export(tmp_path / "old.json")
    assert compare_runs(read, new).rows == compare_runs(old, new).rows


def test_how_loads_were_fitted_is_exported_and_read_under_the_key_that_it_always_had(
    tmp_path: Path,
) -> None:
    record = FittedLoadRecord(scenario="json", load="ramp", rate_factor=0.5, time_factor=1.0)
    (tmp_path / "run.json").write_text(dumps(a_run("old", trials(2), fitted_loads=[record])))
    held = json.loads((tmp_path / "run.json").read_text())
    assert held["scalings"][0]["rate_factor"] == 0.5
    assert "fitted_loads" not in held
    assert read_export(tmp_path / "run.json").fitted_loads == [record]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", "not an exported run"),
        (
            '{"claims": [], "exit_code": 1}',
            "an answer of `webdyno ab`, whose own exit code is 1 if B is worse",
        ),
        ('{"trials": [], "format": 99}', "format 99"),
        ('{"trials": [], "format": 1}', "too old"),
        ('{"trials": [{}], "format": 1, "study_manifest": {}, "id": "x"}', "not a complete"),
    ],
)
def test_a_file_that_is_no_run_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(UserError, match=said) as refused:
        read_export(path)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("key", ["machine", "machines"])
def test_a_machine_that_cannot_be_read_is_told_in_one_line(tmp_path: Path, key: str) -> None:
    held = json.loads(dumps(a_run("old", trials(2))))
    held[key] = {"cpu_model": ["A"], "facts": {"10.0.0.1": 7}}
    (tmp_path / "old.json").write_text(json.dumps(held))
    with pytest.raises(UserError, match=rf"not a complete exported run \(key '{key}\.") as refused:
        read_export(tmp_path / "old.json")
    assert "\n" not in str(refused.value)


def test_a_cold_trial_stays_one_in_an_exported_run(tmp_path: Path) -> None:
    seen = trials(6)
    seen[0].not_steady = "its speed still changed"
    (tmp_path / "old.json").write_text(dumps(a_run("old", seen)))
    read = read_export(tmp_path / "old.json")
    assert [trial.is_evidence for trial in read.trials] == [False, *[True] * (len(seen) - 1)]


def test_a_load_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    held = json.loads(dumps(a_run("old", trials(2))))
    held["study_manifest"]["loads"][0]["record"] = None
    (tmp_path / "old.json").write_text(json.dumps(held))
    read = read_export(tmp_path / "old.json")
    with pytest.raises(
        UserError, match="run old: the loads of its study cannot be read"
    ) as refused:
        compare_runs(read, a_run("new", trials(2)))
    assert "\n" not in str(refused.value)


def test_what_a_terminal_would_obey_is_left_out_of_an_exported_run(tmp_path: Path) -> None:
    held = json.loads(dumps(a_run("old", trials(2))))
    held["trials"][0]["load"] = "\x1b[31mred\x07"
    held["study_manifest"]["question"] = "Which\x1b]0;title\x07 is faster?"
    (tmp_path / "old.json").write_text(json.dumps(held))
    read = read_export(tmp_path / "old.json")
    assert read.trials[0].load == "red"
    assert read.study.question == "Which is faster?"


def test_parameters_stay_as_they_are_and_are_shown_without_it(tmp_path: Path) -> None:
    held = json.loads(dumps(a_run("old", trials(2))))
    held["study_manifest"]["scenarios"][0] = {
        "name": "json",
        "parameters": {"page": "\x1b]0;title\x07one"},
    }
    (tmp_path / "old.json").write_text(json.dumps(held))
    read = read_export(tmp_path / "old.json")
    assert read.study.scenarios[0].parameters == {"page": "\x1b]0;title\x07one"}
    with pytest.raises(UserError) as refused:
        compare_runs(read, a_run("new", trials(2)))
    assert "other parameters (page one → none)" in str(refused.value)
