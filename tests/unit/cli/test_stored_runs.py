"""Where commands look for stored runs: no store is made by a look, nor by a name that is no URL."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.cli.main import main
from webdyno.runtime.home import sqlite_file


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, with a home that is not there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    return tmp_path


@pytest.mark.parametrize("command", [["list", "runs"], ["report"], ["history"], ["compare", "x"]])
def test_a_store_that_is_no_url_is_refused(
    command: list[str],
    nowhere: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WEBDYNO_STORE", "foo")
    assert main(command) == 2
    said = "WEBDYNO_STORE=foo: not a URL; write sqlite:////path or postgresql://…\n"
    assert capsys.readouterr().err.endswith(said)
    assert not (nowhere / "foo").exists()


@pytest.mark.parametrize("store", ["", "sqlite:///{}/not/there.sqlite"])
def test_a_look_makes_no_store(
    store: str, nowhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBDYNO_STORE", store.format(nowhere))
    assert main(["list", "runs"]) == 0
    assert "none" in capsys.readouterr().out
    for command, told in (
        (["report"], "no run is stored yet"),
        (["capacity"], "no run is stored yet"),
        (["compare", "x"], "no run 'x'"),
        (["history", "mine"], "no runs of study 'mine'"),
    ):
        assert main(command) == 2
        assert told in capsys.readouterr().err
    assert list(nowhere.iterdir()) == []


@pytest.mark.parametrize("command", [["report", ""], ["compare", "", "x"], ["capacity", ""]])
def test_an_empty_name_of_a_run_is_refused(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    assert "a run's id is empty; name a run, or 'latest'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("database", "file"),
    [
        ("/a/b.sqlite", "/a/b.sqlite"),
        ("sqlite:////a/b.sqlite?mode=ro", "/a/b.sqlite"),
        ("sqlite+pysqlite:///b.sqlite", "b.sqlite"),
        ("sqlite://", None),
        ("sqlite:///:memory:", None),
        ("sqlite:///file:b?uri=true", None),
        ("postgresql://me@there/b", None),
    ],
)
def test_the_file_of_a_sqlite_store_is_known(database: str, file: str | None) -> None:
    assert sqlite_file(database) == (Path(file) if file else None)
