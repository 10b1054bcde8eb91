"""`webdyno gate RUN`: a stored run is judged as it was asked for."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from unit.ab.test_paired import METRICS, paired_run
from unit.cli.test_history_command import kept
from unit.run.test_compare_runs import a_run
from unit.run.test_plan_and_judge import a_study, a_trial
from webdyno.catalog import StudyManifest
from webdyno.catalog.made_names import of_gate
from webdyno.cli.gate import LEAST_IN_PAIRS, NewRun, study_to_gate
from webdyno.cli.main import main
from webdyno.report.formats.json_export import dumps
from webdyno.run.blocks.make_blocks import conclude
from webdyno.run.record.writer import sole_writer
from webdyno.store.records import now
from webdyno.store.store import Store
from webdyno.verdict.looks import LEAST_BLOCKS


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a run `old`, and a run `new` in pairs with it: as fast as its baseline beside it, and
    half as fast as `old` was."""
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    study = a_study(servers=["go/gin", "go/chi"], scenarios=["json"], metrics=METRICS)
    seen = [
        a_trial(name, block, 2000.0 + block)
        for name in ("go/gin", "go/chi")
        for block in range(6)
    ]  # fmt: skip
    store = Store.open(tmp_path / "webdyno.sqlite")
    kept(store, a_run("old", seen, study=study.model_dump(mode="json")), tmp_path)
    kept(store, paired_run(), tmp_path)
    store.close()
    return tmp_path


def judged(home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    file = home / "gate.json"
    code = main(["gate", *arguments, "--json", str(file)])
    return code, json.loads(file.read_text())


def test_a_run_of_pairs_is_compared_in_pairs(home: Path) -> None:
    code, found = judged(home, "new", "--baseline", "old")
    assert (code, found["paired"]) == (0, True)


def test_the_latest_run_of_a_study_may_be_one_that_a_gate_made(home: Path) -> None:
    made = paired_run()
    gate = made.model_copy(update={"study": {**made.study, "name": of_gate("mine")}})
    other = gate.model_copy(update={"id": "other", "study": {**made.study, "name": "gate-other"}})
    store = Store.open(home / "webdyno.sqlite")
    assert store.run("old").asked.name == "mine"
    for number, run in enumerate((gate, other)):
        kept(store, run.model_copy(update={"started": now() + timedelta(days=number)}), home)
    store.close()
    code, found = judged(home, "latest", "--baseline", "old")
    assert (code, found["new"], found["paired"]) == (0, "new", True)


def test_unpaired_compares_a_run_of_pairs_with_the_stored_figures(home: Path) -> None:
    code, found = judged(home, "new", "--baseline", "old", "--unpaired")
    assert (code, found["paired"]) == (1, False)
    assert found["cautions"][0] == (
        "measured at another time: --unpaired was given; run new measured the baseline again, "
        "beside"
    )
    # Not the baseline's second entries.
    assert {row["entry"] for row in found["rows"]} == {"go/gin", "go/chi"}


def test_a_run_that_is_its_own_baseline_is_told(home: Path) -> None:
    code, found = judged(home, "old", "--baseline", "old")
    assert code == 0
    assert found["cautions"][0] == "both are run old: it is compared with itself"


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("running", "run half is unfinished, so it proves nothing; finish it (`webdyno run "),
        ("failed", "run half failed, so it proves nothing; finish it (`webdyno run "),
        ("interrupted", "run half was interrupted, so it proves nothing; finish it (`webdyno run "),
    ],
)
def test_a_run_that_is_not_finished_is_not_judged(
    home: Path, status: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    study = a_study(servers=["go/gin", "go/chi"], scenarios=["json"], metrics=METRICS)
    seen = [a_trial("go/gin", block, 2000.0 + block) for block in range(6)]
    half = a_run("half", seen, study=study.model_dump(mode="json"))
    store = Store.open(home / "webdyno.sqlite")
    kept(store, half, home, status)
    file = home / "half.json"
    file.write_text(dumps(half.model_copy(update={"status": status})))
    for arguments in (["half", "--baseline", "old"], ["old", "--baseline", "half"]):
        assert main(["gate", *arguments]) == 2
        told = f"{said}--resume half`), or name another"
        assert told in capsys.readouterr().err
    for arguments in ([str(file), "--baseline", "old"], ["old", "--baseline", str(file)]):
        assert main(["gate", *arguments]) == 2
        told = f"{file}: its run is not finished, so it proves nothing; export it again when it is"
        assert told in capsys.readouterr().err
    # One that is being made at this moment is waited for.
    if status == "running":
        with sole_writer(store.run("half"), store):
            assert main(["gate", "half", "--baseline", "old"]) == 2
        told = "run half is under way, so it proves nothing; wait until it has ended, or name"
        assert told in capsys.readouterr().err
    store.close()


def test_a_run_of_a_gate_goes_on_as_a_gate(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store.open(home / "webdyno.sqlite")
    run = paired_run()
    study = {**run.study, "name": "gate-mine"}
    kept(store, run.model_copy(update={"study": study, "baseline": ""}), home, "running")
    store.close()
    assert main(["gate", "new", "--baseline", "old"]) == 2
    assert "finish it by its command with --resume new, or name" in capsys.readouterr().err


def test_a_new_run_makes_blocks_as_the_baseline_did(home: Path) -> None:
    study = a_study(blocks={"min": 3, "max": 9, "looks": "late", "shared_starts": True})
    before = a_run("old", [], study=study.model_dump(mode="json"))
    asked = study_to_gate(before, NewRun(None, 7, None, unpaired=False, resume=None))
    assert asked.blocks.model_dump() == {
        "min": 7, "max": 7, "looks": "late", "shared_starts": True
    }  # fmt: skip


def test_a_gate_that_compared_nothing_says_why(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = paired_run()
    for trial in run.trials:
        trial.bottleneck = "generator-bound"
    conclude(StudyManifest.model_validate(run.study), run)
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


def test_two_blocks_beside_a_baseline_are_refused(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert LEAST_IN_PAIRS == LEAST_BLOCKS
    assert main(["gate", "--baseline", "old", "--blocks", "2"]) == 2
    assert "give 3 or more, or --unpaired" in capsys.readouterr().err


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
