"""Variables in files that git ignores: what is told of them where a service fails without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.ab.recognise.missing.uncopied_variables import uncopied_variables
from webdyno.ab.recognise.settings.variables import ignored_file, named_in
from webdyno.cli.main import main
from webdyno.runtime.builds.git import git

ENV = "# ours\nexport API_KEY=secret\nPORT=3000\nDB_URL = x\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository that ignores its `.env`."""
    git(["init", "--quiet"], tmp_path)
    (tmp_path / ".gitignore").write_text(".env\n")
    (tmp_path / ".env").write_text(ENV)
    return tmp_path


def test_what_the_copy_lacks_is_named_without_its_values(folder: Path) -> None:
    told = uncopied_variables(folder, ("main.js",), ())
    assert told == (
        "; .env is not in the copy that is built: if the service needs API_KEY and DB_URL, set "
        "them in `env` (--env)"
    )
    assert "needs DB_URL, set it in `env`" in uncopied_variables(folder, ("main.js",), {"API_KEY"})


def test_what_is_there_or_set_is_not_told(folder: Path) -> None:
    assert uncopied_variables(folder, ("main.js", ".env"), ()) == ""
    assert uncopied_variables(folder, None, ()) == ""
    assert uncopied_variables(folder, ("main.js",), {"API_KEY", "DB_URL"}) == ""
    (folder / ".env").unlink()
    assert uncopied_variables(folder, ("main.js",), ()) == ""


def test_where_there_is_no_such_file_its_sample_is_told(folder: Path) -> None:
    (folder / ".env.example").write_text("API_KEY=\nDB_URL=postgresql://localhost/x\n")
    files = ("main.js", ".env.example")
    assert uncopied_variables(folder, files, ()).startswith("; .env is not in the copy")
    (folder / ".env").unlink()
    assert uncopied_variables(folder, files, {"DB_URL"}) == (
        "; .env.example names API_KEY: set in `env` (--env) what the service needs of that"
    )
    assert uncopied_variables(folder, files, {"API_KEY", "DB_URL"}) == ""
    # One that is committed sets them.
    assert uncopied_variables(folder, (*files, ".env"), ()) == ""


def test_init_tells_it_where_git_ignores_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ignored_file(folder) == (
        ".env is not in the copy that is built, because git ignores it: set what the service needs "
        "of API_KEY and DB_URL in `env`"
    )
    (folder / "package.json").write_text('{"main": "main.js"}')
    (folder / "main.js").touch()
    (folder / ".env.example").write_text("API_KEY=\n")
    assert main(["init", str(folder)]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if ".env" in line]
    # Once, not by its sample as well.
    assert told == [f"  1. {ignored_file(folder)}"]
    assert f"# To do: {ignored_file(folder)}." in (folder / "webdyno.toml").read_text()
    (folder / ".gitignore").unlink()
    assert ignored_file(folder) == ""


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_line_of_a_value_in_quotes_is_no_variable(folder: Path, quote: str) -> None:
    key = f"KEY={quote}-----BEGIN\nabc=\nc2VjcmV0==\n-----END{quote}\nLAST=1\n"
    (folder / ".env").write_text(key)
    assert named_in(folder / ".env") == ["KEY", "LAST"]
