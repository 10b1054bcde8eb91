"""The disk that is full is named, that of the store included, with the next step."""

from __future__ import annotations

import errno
from pathlib import Path
from types import SimpleNamespace

import pytest

from webdyno.cli.failures import report_disk_full
from webdyno.cli.main import main
from webdyno.runtime import disk


@pytest.fixture(autouse=True)
def full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store, whose disk alone is full."""
    folder = tmp_path / "small"
    folder.mkdir()
    monkeypatch.setattr(disk, "_free_bytes", lambda one: 0.0 if one == folder else 1e12)
    monkeypatch.setenv("WEBDYNO_STORE", f"sqlite:///{folder}/runs.sqlite")
    return folder


CONTINUE = "continue with --resume; what was stored is kept"


@pytest.mark.parametrize(
    ("given", "where", "again"),
    [
        # An option may be called as the board is.
        (["run", "quick", "--json", "board"], "webdyno.run.run_study.run_study", CONTINUE),
        (["run", "quick"], "webdyno.cli.run.finish", "try again"),
        (["run", "board"], "webdyno.cli.run.run_board", "try again"),
        (["list", "runs"], "webdyno.cli.context.reading_store", "try again"),
    ],
)
def test_the_disk_of_the_store_is_named(
    full: Path, given: list[str], where: str, again: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path,
) -> None:  # fmt: skip
    def without_room(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webdyno.cli.run.supervised", lambda main, _: main())
    if where.endswith("finish"):
        made = SimpleNamespace(status="finished")
        monkeypatch.setattr("webdyno.run.run_study.run_study", lambda *_, **__: made)
    monkeypatch.setattr(where, without_room)
    assert main(given) == 74
    said = f"{full}: no space left (0.0 MB free, 256 MB are needed); make room and {again}\n"
    assert capsys.readouterr().err.endswith(f"webdyno: {said}")


@pytest.mark.parametrize("store", ["postgresql://me@there/runs", "no-url"])
def test_a_store_that_is_no_file_is_no_full_disk(
    store: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBDYNO_STORE", store)
    assert report_disk_full() == 74
    assert "the output's disk is full" in capsys.readouterr().err
