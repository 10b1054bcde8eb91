"""A file that a command was asked to write is written wholly, or stays as it was."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from webdyno.cli.output import remove_former, write, write_and_show
from webdyno.errors import UserError


@pytest.fixture
def short_files() -> Iterator[None]:
    """No file may grow beyond 4 kB."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("short_files")
def test_what_was_there_outlives_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write(path, "old")
    with pytest.raises(UserError, match="cannot be written"):
        write(path, "x" * 10_000)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "real.json", tmp_path / "latest.json"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_file_that_cannot_be_replaced_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_arguments: object) -> None:
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

    # As of a file that is mounted into a container.
    path = tmp_path / "answer.md"
    path.write_text("of an earlier version, and longer")
    monkeypatch.setattr(Path, "replace", busy)
    write(path, "new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]
    made = Path.unlink

    def unlink(one: Path, missing_ok: bool = False) -> None:
        if one == path:
            busy()
        made(one, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    remove_former(path)
    assert path.read_text() == ""
    assert list(tmp_path.iterdir()) == [path]


def test_former_answers_are_removed_and_what_is_no_file_stays(tmp_path: Path) -> None:
    path, link = tmp_path / "a.md", tmp_path / "link.md"
    path.write_text("old")
    link.symlink_to(path)
    remove_former(link, None, tmp_path / "none", Path("/dev/null"))
    assert path.read_text() == "old"
    remove_former(path)
    assert not path.exists()


def test_what_is_no_file_is_written_to(capfd: pytest.CaptureFixture[str]) -> None:
    write(Path("/dev/stdout"), "told\n")
    assert capfd.readouterr().out == "told\n"


def test_files_are_written_though_nobody_reads_what_is_shown(tmp_path: Path) -> None:
    def show() -> None:
        raise BrokenPipeError

    first, second = tmp_path / "a.json", tmp_path / "a.md"
    with pytest.raises(BrokenPipeError):
        write_and_show([(first, lambda: "1"), (None, lambda: "2"), (second, lambda: "3")], show)
    assert (first.read_text(), second.read_text()) == ("1", "3")


def test_what_cannot_be_written_keeps_nothing_else_back(tmp_path: Path) -> None:
    shown: list[str] = []
    other = tmp_path / "a.md"
    with pytest.raises(UserError, match="cannot be written"):
        write_and_show(
            [(tmp_path, lambda: "1"), (other, lambda: "2")], lambda: shown.append(other.read_text())
        )
    assert shown == ["2"]
