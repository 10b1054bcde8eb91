"""The disk that is full is named, that of the store included, with the next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.cli.failures import report_disk_full
from webdyno.runtime import disk


@pytest.fixture(autouse=True)
def full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store, whose disk alone is full."""
    folder = tmp_path / "small"
    folder.mkdir()
    monkeypatch.setattr(disk, "_free_bytes", lambda one: 0.0 if one == folder else 1e12)
    monkeypatch.setenv("WEBDYNO_STORE", f"sqlite:///{folder}/runs.sqlite")
    return folder


@pytest.mark.parametrize(
    ("given", "again"),
    [
        (["run", "json"], "continue with --resume; what was stored is kept"),
        (["gate", "--baseline", "x"], "continue with --resume; what was stored is kept"),
        (["run", "board"], "try again"),
        (["list", "runs"], "try again"),
        (["check", "--since", "gate"], "try again"),
        (["--content", "run", "ab", "run"], "try again"),
    ],
)
def test_the_disk_of_the_store_is_named(
    full: Path, given: list[str], again: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report_disk_full(given) == 74
    assert capsys.readouterr().err == (
        f"webdyno: {full}: no space left (0.0 MB free, 256 MB are needed); make room and {again}\n"
    )


@pytest.mark.parametrize("store", ["postgresql://me@there/runs", "no-url"])
def test_a_store_that_is_no_file_is_no_full_disk(
    store: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBDYNO_STORE", store)
    assert report_disk_full(["list"]) == 74
    assert "the output's disk is full" in capsys.readouterr().err
