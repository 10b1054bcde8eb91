"""`webdyno gate RUN`: a stored run is judged as it was asked for."""

from __future__ import annotations

import json
import re
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from support.small_run import a_run
from support.small_study import a_study, a_trial
from support.study_with import study_with
from unit.ab.baselines.test_paired import METRICS, paired_run
from unit.cli.test_history_command import kept
from webdyno.catalog import StudyManifest
from webdyno.catalog.studies.made_names import of_gate
from webdyno.catalog.studies.study_tables import Blocks
from webdyno.cli.gate.command import LEAST_IN_PAIRS, GateFiles, _gate
from webdyno.cli.gate.new_run import NewRun, study_to_gate
from webdyno.cli.main import main
from webdyno.cli.option_values import MOST_BLOCKS
from webdyno.errors import UserError
from webdyno.report.formats.json_export import dumps
from webdyno.run.bench.bench import HERE
from webdyno.run.blocks.make_blocks import conclude
from webdyno.run.record.writer import sole_writer
from webdyno.store.hardware import StoredMachine
from webdyno.store.records import now
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy
from webdyno.store.unmeasured_cell import UnmeasuredCell
from webdyno.verdict.sequential.looks import LEAST_BLOCKS


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run `old`, and a run `new` in pairs with it: as fast as its baseline beside
    it, and half as fast as `old` was."""
    folder = tmp_path_factory.mktemp("home")
    study = a_study(servers=["go/gin", "go/chi"], scenarios=["json"], metrics=METRICS)
    seen = [
        a_trial(name, block, 2000.0 + block)
        for name in ("go/gin", "go/chi")
        for block in range(6)
    ]  # fmt: skip
    store = Store.open(folder / "webdyno.sqlite")
    kept(store, a_run("old", seen, study=StoredStudy.of(study)), folder)
    kept(store, paired_run(), folder)
    store.close()
    return folder


@pytest.fixture
def home(two_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of `two_runs`."""
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    shutil.copytree(two_runs, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def nothing_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "webdyno.ab.baselines.paired.pairs_of", lambda *_: pytest.fail("it was built")
    )


def judged(home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    file = home / "gate.json"
    code = main(["gate", *arguments, "--json", str(file)])
    return code, json.loads(file.read_text())


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
    half = a_run("half", seen, study=StoredStudy.of(study))
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
    changes = {
        "study": study_with(run.study, {"name": "gate-mine"}), "baseline": "",
        "command": "./webdyno gate --baseline old",
    }  # fmt: skip
    kept(store, run.model_copy(update=changes), home, "running")
    store.close()
    for name in ("new", "latest"):
        assert main(["gate", name, "--baseline", "old"]) == 2
        assert "finish it by its command with --resume new, or name" in capsys.readouterr().err


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


def test_a_gate_without_any_run_to_judge_says_so(
    home: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    study = a_study(name="alone", servers=["go/gin"], scenarios=["json"])
    before = a_run("before", [], study=StoredStudy.of(study), status="finished")
    file = tmp_path / "before.json"
    file.write_text(dumps(before))
    assert main(["gate", "latest", "--baseline", str(file)]) == 2
    assert "no run of the study 'alone' is stored yet" in capsys.readouterr().err


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


def test_two_blocks_beside_a_baseline_are_refused(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert LEAST_IN_PAIRS == LEAST_BLOCKS
    assert main(["gate", "--baseline", "old", "--blocks", "2"]) == 2
    assert "give 3 or more, or --unpaired" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "gate"])
def test_more_blocks_than_a_study_can_have_are_refused_before_anything_else(
    command: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Blocks(max=MOST_BLOCKS).max == MOST_BLOCKS
    with pytest.raises(ValueError, match="max"):
        Blocks(max=MOST_BLOCKS + 1)
    answer = home / "answer.json"
    answer.write_text("of yesterday")
    given = [command, "--blocks", str(MOST_BLOCKS + 1), "--json", str(answer)]
    assert main([*given, "--baseline", "old"] if command == "gate" else given) == 2
    assert f"webdyno: --blocks: must be at most {MOST_BLOCKS}; " in capsys.readouterr().err
    assert answer.exists()


@pytest.mark.usefixtures("nothing_built")
@pytest.mark.parametrize(
    ("resume", "blocks", "said"),
    [
        ("half", 4, "run half makes 3 blocks, not 4; give --blocks 3, or start a new run"),
        ("latest", 4, "run half makes 3 blocks, not 4; give --blocks 3, or start a new run"),
        ("half", None, "run half makes 3 blocks, not 6; give --blocks 3, or start a new run"),
        ("new", None, "run new is finished"),
    ],
)
def test_a_run_that_cannot_go_on_is_refused_before_anything_is_built(
    home: Path, resume: str, blocks: int | None, said: str
) -> None:
    run = paired_run()
    study = study_with(
        run.study, {"name": "gate-mine", "blocks": {"min": 3, "max": 3, "looks": "late"}}
    )
    machine = StoredMachine(fingerprint=HERE.machine(noise=False).fingerprint)
    changes = {"id": "half", "study": study, "versions": {}, "machine": machine}
    store = Store.open(home / "webdyno.sqlite")
    kept(store, run.model_copy(update=changes), home, "interrupted")
    store.close()
    wanted = NewRun(blocks=blocks, resume=resume)
    with pytest.raises(UserError, match=re.escape(said)):
        _gate(None, "old", None, wanted, GateFiles())


@pytest.mark.usefixtures("nothing_built")
@pytest.mark.parametrize(
    ("servers", "scenario", "said"),
    [
        ("go/gin,node/http", "json", "--servers node/http: not among the servers of run mine; "
         "choose from go/gin, go/chi"),
        ("go/chi@default", "gone", "no scenario 'gone'"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_refused_before_anything_is_built(
    home: Path, servers: str, scenario: str, said: str
) -> None:
    study = a_study(servers=["go/gin", "go/chi"], scenarios=[scenario])
    store = Store.open(home / "webdyno.sqlite")
    kept(store, a_run("mine", [], study=StoredStudy.of(study)), home)
    store.close()
    wanted = NewRun(servers)
    with pytest.raises(UserError, match=re.escape(said)):
        _gate(None, "mine", None, wanted, GateFiles())


@pytest.mark.parametrize("status", ["interrupted", "finished"])
def test_no_half_of_a_run_takes_the_place_of_a_baseline(
    home: Path, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = paired_run().model_copy(update={"status": status})
    monkeypatch.setattr("webdyno.cli.gate.new_run.run_now", lambda *_: (made, ""))
    file = home / "main.json"
    file.write_text("the last baseline")
    code = _gate(None, "old", None, NewRun(), GateFiles(run=file))
    assert code == (130 if status == "interrupted" else 0)
    assert (file.read_text() == "the last baseline") == (status == "interrupted")


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
