"""What is told of a disk without room."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest

from webdyno.errors import UserError
from webdyno.runtime import disk
from webdyno.runtime.home import Home


def test_too_little_room_is_refused_before_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    not_made = tmp_path / "not" / "made" / "yet"
    disk.check_room([tmp_path, not_made])
    monkeypatch.setattr(disk, "NEEDED_BYTES", 10**18)
    with pytest.raises(UserError, match=r"yet: .* MB free, 1,000,000,000,000 MB are needed; make"):
        disk.check_room([not_made])


def test_a_store_elsewhere_is_among_the_folders_that_need_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, elsewhere = Home(tmp_path / "home"), tmp_path / "elsewhere"
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    assert home.written == [home.root, home.temporary]
    monkeypatch.setenv("WEBDYNO_STORE", f"sqlite:///{elsewhere}/runs.sqlite")
    assert home.written == [home.root, home.temporary, elsewhere]
    monkeypatch.setenv("WEBDYNO_STORE", "postgresql://host/runs")
    assert home.written == [home.root, home.temporary]


def test_a_full_disk_is_known_by_its_cause_too() -> None:
    cause = OSError(errno.ENOSPC, "No space left on device")
    later = RuntimeError("the log could not be written")
    later.__cause__ = cause
    assert disk.is_full(later)
    assert disk.is_full(sqlite3.OperationalError("database or disk is full"))
    assert not disk.is_full(OSError(errno.ENOENT, "No such file"))


def test_the_disk_that_is_full_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert disk.disk_full_message([Path("/")]).startswith("the output's disk is full")
    monkeypatch.setattr(disk, "NEEDED_BYTES", 10**18)
    assert disk.disk_full_message([Path("/")]).startswith("/: no space left (")


def test_how_to_go_on_depends_on_what_was_going(monkeypatch: pytest.MonkeyPatch) -> None:
    resumed = "make room there and continue with --resume; what was stored is kept"
    assert disk.disk_full_message([Path("/")], resumable=True).endswith(resumed)
    assert disk.disk_full_message([Path("/")]).endswith("make room there and try again")
    monkeypatch.setattr(disk, "NEEDED_BYTES", 10**18)
    assert disk.disk_full_message([Path("/")], resumable=True).endswith(
        "make room and continue with --resume; what was stored is kept"
    )
    assert disk.disk_full_message([Path("/")]).endswith("are needed); make room and try again")
