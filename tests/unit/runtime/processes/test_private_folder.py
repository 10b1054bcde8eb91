"""A laboratory's folders are its own as long as it lives, whatever ids of processes say of it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from webdyno.errors import UserError
from webdyno.runtime.processes import private_folder as module
from webdyno.runtime.processes.private_folder import (
    end_abandoned,
    private_folder,
    remove_private_folder,
)
from webdyno.runtime.services.base import made_once

LIVES = """
import os, sys
from pathlib import Path
from webdyno.runtime.processes.private_folder import private_folder

os.getpid = lambda: int(sys.argv[2]) or os.getpid()
print(private_folder(Path(sys.argv[1])), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_own_folder", [])


def another(temporary: Path, pid: int) -> tuple[subprocess.Popen[str], Path]:
    """A laboratory that lives, whose id is `pid` in its own namespace."""
    made = subprocess.Popen(
        [sys.executable, "-c", LIVES, str(temporary), str(pid)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert made.stdout is not None
    return made, Path(made.stdout.readline().strip())


@pytest.fixture
def temporary(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "tmp"
    remove_private_folder(tmp_path / "tmp")


def test_what_lives_in_another_namespace_keeps_its_folder(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There is no such process here, as for one of another namespace.
    monkeypatch.setattr(module, "_is_gone", lambda _pid: True)
    process, theirs = another(temporary, 99_999_999)
    with process:
        assert theirs.name == "99999999"
        (theirs / "work").touch()
        private_folder(temporary)
        assert (theirs / "work").exists()
        process.kill()
        process.wait()
        end_abandoned(temporary)
        assert not theirs.exists()


def test_who_has_our_id_in_another_namespace_has_another_folder(temporary: Path) -> None:
    process, theirs = another(temporary, os.getpid())
    with process:
        assert theirs.name == str(os.getpid())
        ours = private_folder(temporary)
        assert ours == private_folder(temporary) != theirs
        assert ours.name == f"{os.getpid()}-2"
        remove_private_folder(temporary)
        assert theirs.is_dir()
        assert not ours.exists()
        process.kill()


def test_what_is_made_once_is_made_by_one_at_a_time(tmp_path: Path) -> None:
    template, begun, go_on = tmp_path / "cache" / "empty", threading.Event(), threading.Event()
    made = []

    def make(folder: Path) -> None:
        assert not list(folder.iterdir())
        (folder / "half").touch()
        begun.set()
        assert go_on.wait(20)
        made.append(folder)
        (folder / "whole").touch()

    # Of one that was killed.
    (tmp_path / "cache" / "empty.99999999").mkdir(parents=True)
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(made_once, template, None, make)
        assert begun.wait(20)
        other = pool.submit(made_once, template, None, make)
        threading.Event().wait(0.1)
        go_on.set()
        assert one.result(20) == other.result(20) == template
    assert len(made) == 1
    names = {path.name for path in template.parent.iterdir() if path.is_dir()}
    assert (names, {path.name for path in template.iterdir()}) == ({"empty"}, {"half", "whole"})


@pytest.mark.parametrize("name", ["missing", "file"])
def test_a_temporary_folder_that_is_none_is_refused(
    name: str, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TMPDIR", str(tmp_path / name))
    with pytest.raises(UserError, match=rf"^TMPDIR=\S*/{name}: not a folder .*; name one"):
        private_folder(temporary)
