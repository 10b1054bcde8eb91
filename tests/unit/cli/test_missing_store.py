"""A store that is not there is not made by a command that only looks for what it holds."""

from pathlib import Path

import pytest

from support.output_schemas import validated
from support.small_run import a_run
from webdyno.cli import context
from webdyno.cli.board import run_board
from webdyno.cli.gate.command import GateFiles, _gate
from webdyno.cli.gate.new_run import NewRun
from webdyno.cli.main import main
from webdyno.cli.run import RunOptions, _run
from webdyno.errors import UserError
from webdyno.report.formats.json_export import dumps


@pytest.fixture(params=["path", "url"])
def missing(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A mistyped store; the folder of its file is empty."""
    folder = tmp_path / "stores"
    folder.mkdir()
    file = folder / "mistyped.sqlite"
    if request.param == "url":
        monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("WEBDYNO_STORE", f"sqlite:///{file}")
    else:
        monkeypatch.setenv("WEBDYNO_HOME", str(folder))
        monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    return folder


@pytest.mark.parametrize(
    "arguments", [["compare", "a", "b"], ["history"], ["report", "a"], ["capacity", "a"],
                  ["gate", "a", "--baseline", "b"]],
)  # fmt: skip
def test_a_look_makes_none(arguments: list[str], missing: Path) -> None:
    assert main(arguments) == 2
    assert list(missing.iterdir()) == []


def test_a_gate_without_its_baseline_makes_none(missing: Path) -> None:
    with pytest.raises(UserError, match="no run 'a'"):
        _gate(None, "a", None, NewRun(), GateFiles())
    assert list(missing.iterdir()) == []


def test_a_gate_that_resumes_makes_none(missing: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "main.json"
    baseline.write_text(dumps(a_run("old", []).model_copy(update={"status": "finished"})))
    wanted = NewRun(resume="latest")
    with pytest.raises(UserError, match="no such store, so no run to resume"):
        _gate(None, str(baseline), None, wanted, GateFiles())
    assert list(missing.iterdir()) == []


@pytest.mark.parametrize("study", [None, "quick"])
def test_a_run_that_resumes_makes_none(study: str | None, missing: Path) -> None:
    with pytest.raises(UserError, match=r"no (run|such store)"):
        _run(study, RunOptions(resume="a"))
    assert list(missing.iterdir()) == []


@pytest.mark.slow
def test_what_is_left_of_the_board_makes_none(missing: Path) -> None:
    assert run_board(
        budget_s=None, servers=["node/http", "node/express"], scenarios=["hello"], reference="",
        json=None, html=None, plain=True, dry_run=True,
    ) == 0  # fmt: skip
    assert list(missing.iterdir()) == []


@pytest.mark.slow
def test_a_look_at_the_board_writes_what_is_known_and_names_what_is_left_out(
    missing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = tmp_path / "board.json", tmp_path / "board.html"
    assert run_board(
        budget_s=None, servers=["node/http", "go/gin"], scenarios=["hello", "stack-3"],
        reference="", json=files[0], html=files[1], plain=True, dry_run=True,
    ) == 0  # fmt: skip
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "stack-3: left out, since no two of the servers can serve it here"
    assert said[1].startswith("2 cells of 2 servers and 1 scenario: ")
    held = validated("board", files[0].read_text())
    assert [one["scenario"] for one in held["headings"]] == ["hello"]
    assert "go/gin" in files[1].read_text()


def test_a_new_run_makes_one(missing: Path) -> None:
    context.store_to_go_on(None).close()
    assert any(one.suffix == ".sqlite" for one in missing.iterdir())
