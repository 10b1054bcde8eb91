"""What `webdyno gate` does not judge, and says so before anything is built."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.small_run import a_run
from support.small_study import a_study, a_trial
from support.study_with import study_with
from unit.ab.baselines.test_paired import METRICS, paired_run
from unit.cli.gate.conftest import judged
from unit.cli.test_history_command import kept
from webdyno.catalog.studies.study_tables import Blocks
from webdyno.cli.gate.command import LEAST_IN_PAIRS, GateFiles, _gate
from webdyno.cli.gate.new_run import NewRun
from webdyno.cli.main import main
from webdyno.cli.option_values import MOST_BLOCKS
from webdyno.errors import UserError
from webdyno.report.formats.json_export import dumps
from webdyno.run.bench.bench import HERE
from webdyno.run.record.writer import sole_writer
from webdyno.store.hardware import StoredMachine
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy
from webdyno.verdict.sequential.looks import LEAST_BLOCKS


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


def test_a_gate_without_any_run_to_judge_says_so(
    home: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    study = a_study(name="alone", servers=["go/gin"], scenarios=["json"])
    before = a_run("before", [], study=StoredStudy.of(study), status="finished")
    file = tmp_path / "before.json"
    file.write_text(dumps(before))
    assert main(["gate", "latest", "--baseline", str(file)]) == 2
    assert "no run of the study 'alone' is stored yet" in capsys.readouterr().err


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
