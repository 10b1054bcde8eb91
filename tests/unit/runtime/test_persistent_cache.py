"""What takes long is made once, and never taken from what somebody else wrote."""

from __future__ import annotations

import os
import pwd
import tempfile
from pathlib import Path

import pytest

from webdyno.runtime.persistent_cache import kept, kept_in


def test_what_was_made_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "cache" / "made.js"
    made = iter(["let µ = 1", "never"])
    assert [kept_in(file, lambda: next(made)) for _ in range(2)] == ["let µ = 1"] * 2
    assert list(file.parent.iterdir()) == [file]


def test_where_nothing_can_be_kept_it_is_made_each_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    made = iter(["first", "second"])
    file = tmp_path / "file" / "made.js"
    assert [kept_in(file, lambda: next(made)) for _ in range(2)] == ["first", "second"]


def test_a_folder_of_somebody_else_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a folder of somebody else")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert kept("made", lambda: "ours") == "ours"
    (theirs,) = (tmp_path / "webdyno-0" / "cache").iterdir()
    theirs.write_text("theirs")
    assert kept("made", lambda: "ours") == "theirs"  # It would be read, if the folder were ours.
    os.chown(tmp_path / "webdyno-0", pwd.getpwnam("nobody").pw_uid, -1)
    assert kept("made", lambda: "ours") == "ours"
