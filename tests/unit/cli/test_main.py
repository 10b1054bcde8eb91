"""The command line as a user meets it: exit codes, one line of error, never a traceback."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from typer.core import TyperGroup

from webdyno import __main__ as start
from webdyno import __version__
from webdyno.cli import main as main_module
from webdyno.cli.commands import COMMANDS, load
from webdyno.cli.exit_codes import OF_COMMANDS
from webdyno.cli.main import main
from webdyno.runtime import home
from webdyno.runtime.home import Home


@pytest.fixture(autouse=True)
def called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEBDYNO_PROGRAM", raising=False)


def one_line(text: str) -> str:
    lines = text.splitlines()
    assert len(lines) == 1, text
    return lines[0]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"webdyno {__version__}\n"


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [name for name in COMMANDS if f"\n  {name} " not in shown] == []


def test_without_a_command_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "Usage: webdyno" in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_loaded_and_has_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert load(name).name == name
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"Usage: webdyno {name}" in shown
    # What a value is, not which type of Python holds it.
    assert not re.search(r"<(str|path|int|float|list)\b", shown)
    assert "<=x" not in shown
    codes = shown.partition("\nExit codes:\n")[2]
    assert re.findall(r"^  (\d+)  ", codes, re.MULTILINE) == [
        str(code) for code in OF_COMMANDS.get(name, {})
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lst"], "lst: no such command; perhaps list, as `webdyno --help`"),
        (["nothing-like-it"], "nothing-like-it: no such command; `webdyno --help` shows how"),
        (["--wrong"], "--wrong: no such option; `webdyno --help` shows how"),
        (["hit", "--max_rate"], "--max_rate: no such option; perhaps --max-rate, as `webdyno hit"),
        (["hit", "http://x/", "-Q"], "-Q: no such option; `webdyno hit --help` shows how"),
        (["hit"], "URL: missing; give it, as `webdyno hit --help` shows"),
        (["new"], "KIND: missing; choose server, scenario or study, as `webdyno new --help`"),
        (["hit", "http://x/", "-c"], "-c: its value is missing; `webdyno hit --help` shows how"),
        (["run", "--plain=3"], "--plain: takes no value; leave it out, as `webdyno run --help`"),
        (["init", "a", "b"], "b: unexpected; leave it out, as `webdyno init --help` shows"),
        (
            ["hit", "x", "--reactor", "u"],
            "'u' is not a valid choice; choose auto, epoll or io_uring, as",
        ),
        (["list", "--wrong"], "`webdyno list --help` shows"),
        (["list", "nonsense"], "cannot list 'nonsense'"),
        (["new", "server"], "NAME: missing; give it, as `webdyno new --help` shows"),
        (["--content", "/no/such/folder", "list"], "--content /no/such/folder"),
        (["--content"], "--content"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    line = one_line(shown.err)
    assert line.startswith("webdyno: ")
    assert said in line


def test_errors_name_the_program_as_it_was_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBDYNO_PROGRAM", "./webdyno")
    assert main(["list", "--wrong"]) == 2
    assert "`./webdyno list --help`" in capsys.readouterr().err


@pytest.fixture
def faulty_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """`list` fails in a way that nobody planned for."""

    def list_() -> None:
        raise ZeroDivisionError("nobody planned for this\nnor for two lines")

    monkeypatch.setattr("webdyno.cli.list.list_", list_)


@pytest.mark.usefixtures("faulty_command")
def test_a_fault_is_one_line_that_names_the_file_with_the_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    monkeypatch.delenv("WEBDYNO_DEBUG", raising=False)
    assert main(["list"]) == 70
    line = one_line(capsys.readouterr().err)
    assert "ZeroDivisionError: nobody planned for this nor for two lines" in line
    (kept,) = (tmp_path / "failures").iterdir()
    assert str(kept) in line
    assert "Traceback (most recent call last)" in kept.read_text()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["hit", "http://x/", "--users", "many"], ": --users: must be a whole number; `"),
        (["hit", "http://x/", "-c", "0"], ": --connections: must be at least 1; `"),
        (["hit", "http://x/", "--iterations", "1" + "0" * 26], ": --iterations: must be a"),
        (
            ["hit", "http://x/", "--iterations", str(2**63)],
            "at most 9223372036854775807; `",
        ),
        (["capacity", "--peak", "high"], ": --peak: must be a number; `"),
    ],
)
def test_a_bad_value_is_told_in_our_words(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(given) == 2
    line = one_line(capsys.readouterr().err)
    assert said in line
    assert "Input" not in line
    assert "Invalid" not in line


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without a home, of a Webdyno that was installed as a package."""

    def none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("WEBDYNO_HOME", "XDG_STATE_HOME", "WEBDYNO_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(home, "__file__", str(tmp_path / "a" / "b" / "c" / "home.py"))
    monkeypatch.setattr(Path, "home", none)


@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_is_told_what_to_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "runs"]) == 2
    assert "HOME or WEBDYNO_HOME" in one_line(capsys.readouterr().err)


@pytest.mark.usefixtures("homeless", "faulty_command")
def test_a_fault_is_told_once_where_there_is_no_home_for_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["list"]) == 70
    said = capsys.readouterr().err
    assert said.count("Traceback") == 1
    assert said.splitlines()[-1].startswith("webdyno: a bug in Webdyno: ZeroDivisionError")


@pytest.mark.parametrize("arguments", [["list", "studies"], ["init"]])
def test_a_working_folder_that_was_removed_is_no_bug(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.delenv("WEBDYNO_DEBUG", raising=False)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(arguments) == 2
    assert "the working folder has been removed" in one_line(capsys.readouterr().err)


def raised(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let `webdyno list` raise `error`."""

    def list_() -> None:
        raise error

    monkeypatch.setattr("webdyno.cli.list.list_", list_)


def test_an_interrupt_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raised(monkeypatch, KeyboardInterrupt())
    assert main(["list"]) == 130
    assert one_line(capsys.readouterr().err) == "webdyno: interrupted"


def test_an_interrupt_while_the_command_line_is_read_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_arguments: object, **_extra: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(TyperGroup, "make_context", interrupted)
    assert main(["list"]) == 130
    assert one_line(capsys.readouterr().err) == "webdyno: interrupted"


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.ENOTDIR])
@pytest.mark.parametrize(("variable", "within"), [("WEBDYNO_HOME", "builds"), ("TMPDIR", "tmp/1")])
def test_a_folder_of_ours_that_may_not_be_written_is_no_bug(
    number: int, variable: str, within: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.delenv("WEBDYNO_DEBUG", raising=False)
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path / "WEBDYNO_HOME"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "TMPDIR"))
    top = Home.default().temporary.parent if variable == "TMPDIR" else Home.default().root
    place = top / within
    raised(monkeypatch, OSError(number, os.strerror(number), str(place)))
    assert main(["list"]) == 2
    line = one_line(capsys.readouterr().err)
    assert line.startswith(f"webdyno: {place}: cannot be used (")
    assert f"; let {variable} name a folder" in line


def test_a_folder_of_somebody_else_is_none_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WEBDYNO_DEBUG", raising=False)
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    raised(monkeypatch, PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "x")))
    assert main(["list"]) == 70


def test_a_home_that_is_a_file_is_no_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("WEBDYNO_DEBUG", raising=False)
    (tmp_path / "file").touch()
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path / "file"))
    raised(monkeypatch, FileExistsError(errno.EEXIST, "File exists", str(tmp_path / "file")))
    assert main(["list"]) == 2
    assert "let WEBDYNO_HOME name a folder" in one_line(capsys.readouterr().err)


def test_an_interrupt_while_modules_are_imported_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(start, "mend_cut_short", interrupted)
    assert start.main() == 130
    assert one_line(capsys.readouterr().err) == "webdyno: interrupted"


@pytest.mark.usefixtures("faulty_command")
def test_debug_raises_the_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBDYNO_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["list"])


def test_help_imports_nothing_heavy() -> None:
    """Start-up stays quick only as long as commands import numpy and pydantic when called."""
    heavy = ("numpy", "pandas", "scipy", "pydantic", "sqlalchemy", "altair", "rich")
    code = (
        "import sys; from webdyno.cli.main import main; main(['--help']);"
        f"print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        text=True,
        check=True,
    )
    assert done.stderr == "[]\n"


def test_other_ends_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(_given: object, **_named: object) -> int:
        raise SystemExit(3)

    monkeypatch.setattr(main_module, "app", ends)
    with pytest.raises(SystemExit, match="3"):
        main(["capacity"])
