"""What the command line prints reaches whoever reads it: a terminal, a pipe, or nobody any more."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from rich.console import Console

from webdyno.cli import main as main_module
from webdyno.cli.main import main


def test_a_reader_that_went_away_is_no_fault() -> None:
    """`webdyno list | head -0`: quiet, and nothing at exit."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as broken:
        done = subprocess.run(
            [sys.executable, "-m", "webdyno", "--help"],
            stdout=broken,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            text=True,
        )
    assert done.stderr == ""
    assert done.returncode in (1, 141)


def test_the_version_is_told_as_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as held:
        held.setattr(sys, "stdout", Gone())
        held.setattr(main_module, "_without_reader", lambda: 141)
        assert main(["--version"]) == 141
        with open("/dev/full", "w") as full:
            held.setattr(sys, "stdout", full)
            assert main(["--version"]) == 74
            held.setattr(sys, "stdout", io.StringIO())
            with contextlib.suppress(OSError):
                full.close()


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_a_terminal_may_lack_a_sign(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ticks(_given: object, **_named: object) -> int:
        print("\N{CHECK MARK} node")
        return 0

    written = io.BytesIO()
    with monkeypatch.context() as held:
        held.setattr(main_module, "app", ticks)
        terminal = io.TextIOWrapper(written, encoding=encoding)
        held.setattr(sys, "stdout", terminal)
        assert main(["doctor"]) == 0
    assert written.getvalue() == b"? node\n"


@pytest.mark.parametrize("columns", ["0", "-3", "wide", ""])
def test_a_width_that_is_none_hides_nothing(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shows(_given: object, **_named: object) -> int:
        Console().print("a table")
        return 0

    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(main_module, "app", shows)
    assert main(["list"]) == 0
    assert capsys.readouterr().out == "a table\n"


class Gone(io.StringIO):
    """A pipe that nobody reads any more."""

    def write(self, _text: str) -> int:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")


def by_rich(**_given: object) -> int:
    Console(file=Gone()).print("a table")
    return 0


def by_print(**_given: object) -> int:
    print("a line", file=Gone())
    return 0


@pytest.mark.parametrize("shown", [by_rich, by_print])
def test_a_reader_that_has_gone_is_no_error(
    shown: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as held:
        held.setattr(main_module, "app", lambda _given, **named: shown(**named))
        held.setattr(os, "dup2", lambda *_numbers: 1)
        assert main(["capacity"]) == 141
    assert capfd.readouterr().err == ""
