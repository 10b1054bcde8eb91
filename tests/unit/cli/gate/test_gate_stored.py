"""`webdyno gate RUN`: a stored run is judged as it was asked for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from support.small_run import a_run
from support.small_study import a_study
from support.study_with import study_with
from unit.ab.baselines.test_paired import paired_run
from unit.cli.gate.conftest import judged
from unit.cli.test_history_command import kept
from webdyno.catalog import StudyManifest
from webdyno.catalog.studies.made_names import of_gate
from webdyno.cli.gate.new_run import NewRun, study_to_gate
from webdyno.cli.main import main
from webdyno.run.blocks.make_blocks import conclude
from webdyno.store.records import now
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy
from webdyno.store.unmeasured_cell import UnmeasuredCell


def test_a_run_of_pairs_is_compared_in_pairs(home: Path) -> None:
    code, found = judged(home, "new", "--baseline", "old")
    assert (code, found["paired"]) == (0, True)


def test_the_latest_run_of_a_study_may_be_one_that_a_gate_made(home: Path) -> None:
    made = paired_run()
    gate = made.model_copy(update={"study": study_with(made.study, {"name": of_gate("mine")})})
    other = gate.model_copy(
        update={"id": "other", "study": study_with(made.study, {"name": "gate-other"})}
    )
    store = Store.open(home / "webdyno.sqlite")
    assert store.run("old").study.name == "mine"
    for number, run in enumerate((gate, other)):
        kept(store, run.model_copy(update={"started": now() + timedelta(days=number)}), home)
    store.close()
    code, found = judged(home, "latest", "--baseline", "old")
    assert (code, found["new"], found["paired"]) == (0, "new", True)


def test_unpaired_compares_a_run_of_pairs_with_the_stored_figures(home: Path) -> None:
    code, found = judged(home, "new", "--baseline", "old", "--unpaired")
    assert (code, found["paired"]) == (1, False)
    assert found["cautions"][0] == (
        "measured at another time: --unpaired was given, although run new measured the baseline "
        "again"
    )
    # Not the baseline's second entries.
    assert {row["entry"] for row in found["rows"]} == {"go/gin", "go/chi"}


def test_a_run_of_a_gate_goes_on_as_a_gate(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store.open(home / "webdyno.sqlite")
    run = paired_run()
    changes = {
        "study": study_with(run.study, {"name": "gate-mine"}), "baseline": "",
        "command": "./webdyno gate --baseline old",
    }  # fmt: skip
    kept(store, run.model_copy(update=changes), home, "running")
    store.close()
    for name in ("new", "latest"):
        assert main(["gate", name, "--baseline", "old"]) == 2
        assert (
            "repeat its command with --resume new to finish it, or name" in capsys.readouterr().err
        )


def test_the_latest_run_is_none_of_a_study_that_is_called_as_a_gates(home: Path) -> None:
    own = paired_run(chi=500.0)
    changes = {
        "id": "own", "study": study_with(own.study, {"name": "gate-mine"}), "baseline": "",
        "command": "./webdyno run gate-mine", "started": now() + timedelta(days=1),
    }  # fmt: skip
    store = Store.open(home / "webdyno.sqlite")
    kept(store, own.model_copy(update=changes), home)
    made = paired_run()
    changes = {"study": study_with(made.study, {"name": "gate-mine"}), "command": "./webdyno gate"}
    kept(store, made.model_copy(update=changes), home)
    store.close()
    code, found = judged(home, "latest", "--baseline", "old")
    assert (code, found["new"], found["paired"]) == (0, "new", True)


def test_a_new_run_makes_blocks_as_the_baseline_did(home: Path) -> None:
    study = a_study(blocks={"min": 3, "max": 9, "looks": "late", "shared_starts": True})
    before = a_run("old", [], study=StoredStudy.of(study))
    asked = study_to_gate(before, NewRun(blocks=7))
    assert asked.blocks.model_dump() == {
        "min": 7, "max": 7, "looks": "late", "shared_starts": True
    }  # fmt: skip


def test_a_gate_that_compared_nothing_says_why(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = paired_run()
    for trial in run.trials:
        trial.bottleneck = "generator-bound"
    conclude(StudyManifest.model_validate(run.study.as_stored()), run)
    store = Store.open(home / "webdyno.sqlite")
    kept(store, run.model_copy(update={"id": "limited"}), home)
    kept(store, paired_run(2).model_copy(update={"id": "short"}), home)
    store.close()
    code, found = judged(home, "limited", "--baseline", "old")
    said = capsys.readouterr().err
    assert (code, found["rows"], len(found["not_compared"])) == (2, [], 2)
    assert (
        "nothing was compared: go/gin (json): in limited generator-bound in 6 of 6 trials" in said
    )
    assert ", and 1 more below; the result names each server with the reason" in said
    code, _ = judged(home, "short", "--baseline", "old")
    assert code == 2
    said = capsys.readouterr().err
    assert "too few trials in 4 figures; give more time, such as --budget 10m" in said


def test_a_server_that_could_not_be_compared_is_not_settled(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = paired_run()
    for trial in run.trials:
        if trial.entry.startswith("go/chi"):
            trial.bottleneck = "generator-bound"
    conclude(StudyManifest.model_validate(run.study.as_stored()), run)
    store = Store.open(home / "webdyno.sqlite")
    kept(store, run.model_copy(update={"id": "partly"}), home)
    store.close()
    markdown = home / "gate.md"
    code, found = judged(home, "partly", "--baseline", "old", "--markdown", str(markdown))
    assert (code, found["outcome"]) == (3, "not settled")
    assert "not compared: go/chi (json)" in " ".join(capsys.readouterr().out.split())
    assert markdown.read_text().startswith("### ❔")


def test_a_gate_whose_budget_did_not_reach_a_server_settles_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = paired_run()
    row = UnmeasuredCell(
        entry="go/chi", scenario="json", load="closed-8", kind="not-reached", reason=""
    )
    there = [trial for trial in run.trials if trial.entry != "go/chi"]
    changes = {"id": "late", "trials": there, "absent": [row]}
    store = Store.open(home / "webdyno.sqlite")
    kept(store, run.model_copy(update=changes), home)
    worse = [
        trial.model_copy(update={"status": "failed", "reason": "answered 500"})
        if trial.entry == "go/gin" else trial
        for trial in there
    ]  # fmt: skip
    kept(store, run.model_copy(update={**changes, "id": "worse", "trials": worse}), home)
    store.close()
    code, found = judged(home, "late", "--baseline", "old", "--junit", str(home / "junit.xml"))
    assert (code, found["broken"], found["not_reached"]) == (3, 0, 1)
    assert 'failures="0"' in (home / "junit.xml").read_text()
    assert "was not reached before the time budget ended" in capsys.readouterr().out
    # What else fails is said by its own exit code.
    code, found = judged(home, "worse", "--baseline", "old")
    assert (code, found["broken"], found["not_reached"]) == (1, 1, 1)


def test_answers_of_an_earlier_gate_are_gone_where_there_is_none(home: Path) -> None:
    files = [home / name for name in ("gate.xml", "gate.md", "gate.json", "next.json")]
    for file in files:
        file.write_text("of yesterday")
    options = zip(("--junit", "--markdown", "--json", "--run-json"), map(str, files), strict=True)
    assert (
        main(["gate", "none", "--baseline", "old", *(one for two in options for one in two)]) == 2
    )
    assert [file.exists() for file in files] == [False, False, False, True]
    # What is read is no answer.
    assert main(["gate", str(files[3]), "--baseline", "old", "--json", str(files[3])]) == 2
    assert files[3].exists()
