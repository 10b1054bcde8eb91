"""Folders in which a server may have put anything."""

from __future__ import annotations

import os
import sqlite3
import struct
from pathlib import Path

import pytest

from webdyno.runtime import trees
from webdyno.runtime.confinement.protection import landlock_holds
from webdyno.runtime.services.sqlite_sessions import SqliteSessions
from webdyno.trial.folders import TrialFolders


def deep(folder: Path, levels: int) -> Path:
    """Folders in each other, deeper than a path can tell."""
    folder.mkdir()
    held = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("deep", dir_fd=held)
        below = os.open("deep", os.O_RDONLY, dir_fd=held)
        os.close(held)
        held = below
    os.close(held)
    return folder


@pytest.mark.slow
def test_folders_that_no_path_reaches_are_measured_and_removed(tmp_path: Path) -> None:
    root = deep(tmp_path / "deep", 1100)
    (root / "file").write_bytes(b"x" * 1000)
    assert trees.size_below(root) == 1000
    trees.remove(root)
    assert not root.exists()


def test_folders_that_may_not_be_entered_are_removed(tmp_path: Path) -> None:
    shut = tmp_path / "root" / "shut"
    shut.mkdir(parents=True)
    (shut / "file").write_text("x")
    shut.chmod(0)
    trees.remove(tmp_path / "root")
    assert not (tmp_path / "root").exists()


def test_links_lead_nowhere(tmp_path: Path) -> None:
    others, own = tmp_path / "others", tmp_path / "own"
    others.mkdir()
    own.mkdir()
    (others / "file").write_bytes(b"x" * 1000)
    (own / "folder").symlink_to(others)
    (own / "file").symlink_to(others / "file")
    mode = (others / "file").stat().st_mode
    trees.let_all_read(own)
    assert (trees.size_below(own), trees.size_below(own / "folder")) == (0, 0)
    trees.remove(own / "folder")
    trees.remove(own)
    assert not own.exists()
    assert [(others / "file").read_bytes(), (others / "file").stat().st_mode] == [b"x" * 1000, mode]


def test_what_is_handed_over_is_given_from_the_deepest_file_upwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []

    def noted(path: Path, *_: int, follow_symlinks: bool) -> None:
        assert not follow_symlinks
        given.append(path.name)

    monkeypatch.setattr(os, "chown", noted)
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("")
    (tmp_path / "a" / "link").symlink_to("/etc")
    trees.hand_over(tmp_path / "a", "root")
    assert set(given) == {"a", "b", "c", "link"}
    assert given.index("c") < given.index("b") < given.index("a") == 3


def test_a_further_start_takes_nothing_that_the_first_server_may_write_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = TrialFolders.make(tmp_path / "trial")
    handed: list[Path] = []
    monkeypatch.setattr("webdyno.trial.folders.hand_over", lambda path, _: handed.append(path))
    folders.hand_over("nobody")
    assert handed == [folders.of_start(), folders.written]
    handed.clear()
    folders.hand_over("nobody", ".again")
    assert handed == [folders.of_start(".again")]


@pytest.mark.skipif(not landlock_holds(), reason="this kernel has no Landlock")
def test_a_database_of_the_server_s_leads_sqlite_nowhere_else(tmp_path: Path) -> None:
    written, elsewhere = tmp_path / "written", tmp_path / "other.sqlite"
    written.mkdir()
    ours = SqliteSessions(written / "sessions.sqlite")
    ours.set_count("a", 1)
    other = SqliteSessions(elsewhere)
    other.set_count("a", 1)
    other.changes()
    before = elsewhere.read_bytes()
    (written / "sessions.sqlite").unlink()
    (written / "sessions.sqlite").symlink_to(elsewhere)
    for act in (ours.total, ours.begin, lambda: ours.set_count("a", 7), lambda: ours.move([9])):
        with pytest.raises(sqlite3.OperationalError, match="unable to open"):
            act()
    assert elsewhere.read_bytes() == before
    assert other.counts(["a"]) == {"a": 1}


def hot_journal(pages: int, names: Path) -> bytes:
    """Of a transaction that was cut off, with the super-journal `names`: SQLite removes that once
    it has undone the transaction (the file format's documentation, 3)."""
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(names).encode()
    head = magic + struct.pack(">5I", 0, 0, pages, 512, 4096)
    end = struct.pack(">II", len(name), sum(name)) + magic
    return head.ljust(512, b"\0") + struct.pack(">I", (1 << 30) // 4096 + 1) + name + end


@pytest.mark.skipif(not landlock_holds(), reason="this kernel has no Landlock")
def test_a_journal_of_the_server_s_has_nothing_removed_elsewhere(tmp_path: Path) -> None:
    """A journal that was left behind names another file, which goes with it."""
    written, named = tmp_path / "written", tmp_path / "named"
    written.mkdir()
    named.write_text("of somebody else")
    file = written / "sessions.sqlite"
    sessions = SqliteSessions(file)
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("PRAGMA journal_mode = DELETE")
    database.close()
    Path(f"{file}-journal").write_bytes(hot_journal(pages=file.stat().st_size // 4096, names=named))
    with pytest.raises(sqlite3.Error):
        sessions.total()
    assert named.read_text() == "of somebody else"
