"""Lines of code: what counts, and for which scenario."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from webdyno.catalog.servers.server import Server, read_server
from webdyno.runtime.builds.source_lines import belongs_to, lines_of, source_lines

JAVASCRIPT = """\
// A comment.
import express from 'express';

/**
 * Documentation
 * of two lines.
 */
const app = express(); // and a comment beside code
app.get('/', (request, response) => {
  response.send('hello');
});
"""
PYTHON = '''\
"""What it does."""

# A comment.
TEXT = """a string
of two lines"""


def answer() -> str:
    """Documentation."""
    return TEXT
'''


ELIXIR = '''\
defmodule Shop do
  @moduledoc """
  Documentation

  of several lines.
  """

  @doc "What it does."
  # A comment.
  def text, do: """
  a string
  """
end
'''


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        # Three lines in full, and the one that opens the function; its end is brackets only.
        ("app.js", JAVASCRIPT, 4),
        ("app.py", PYTHON, 4),
        ("main.rs", "//! Doc.\nfn main() {\n    // none\n    serve();\n}\n", 2),
        ("index.php", "<?php\n\n// none\necho 'Count is ', 1;\n", 2),
        ("page.ejs", "<p>\n\n<%= count %>\n</p>\n", 3),  # a language that pygount does not know
        ("shop.ex", ELIXIR, 5),
        ("page.html.heex", "<p>\n\n<%= count %>\n</p>\n", 3),
        ("empty.py", "", 0),
    ],
)
def test_code_is_counted_without_blanks_and_comments(
    tmp_path: Path, name: str, text: str, lines: int
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert lines_of(path) == lines


def test_what_is_not_text_has_no_lines(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(bytes(range(256)) * 4)
    assert lines_of(picture) == 0


@pytest.mark.parametrize(
    ("path", "belongs"),
    [
        ("apps/session-counter.js", True),
        ("apps/session_counter.py", True),
        ("src/apps/session_counter.rs", True),
        ("session-counter/index.php", True),
        ("src/main/java/SessionCounterServlet.java", True),
        ("session-counter.conf.py", True),
        ("lib/session.js", False),
        ("lib/counter.js", False),
        ("lib/my-session-counter.js", False),
    ],
)
def test_files_are_named_after_a_scenario(path: str, belongs: bool) -> None:
    assert belongs_to(Path(path), ["hello", "session-counter"]) is belongs


def server(folder: Path) -> Server:
    home = folder / "node" / "two"
    (home / "apps").mkdir(parents=True)
    (home / "node_modules" / "express").mkdir(parents=True)
    files = {
        "server.toml": (
            'name = "two"\nlanguage = "node"\nframework = "none"\nframework_version = "1"\n'
            'licence = "MIT"\ntoolchain = []\nscenarios = ["hello", "blog"]\n'
            '[run]\ncommand = ["node", "server.js"]\n'
        ),
        "package.json": '{\n  "name": "two"\n}\n',
        "server.js": "start(1);\nstart(2);\n",
        "apps/hello.js": "// none\nhello();\n",
        "apps/blog.js": "blog(1);\nblog(2);\nblog(3);\n",
        "node_modules/express/index.js": "express();\n" * 100,
    }
    for name, text in files.items():
        (home / name).write_text(text, encoding="utf-8")
    return read_server(home)


def test_lines_are_counted_once_for_the_same_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = server(tmp_path / "two")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    counted: list[Path] = []

    def counting(path: Path) -> int:
        counted.append(path)
        return 7

    monkeypatch.setattr("webdyno.runtime.builds.source_lines.lines_of", counting)
    assert [source_lines(two, "hello") for _ in range(3)] == [14, 14, 14]
    assert len(counted) == 2
    (two.folder / "server.js").write_text("start(3);\n", encoding="utf-8")
    assert source_lines(two, "hello") == 14
    assert len(counted) == 4


def test_a_scenario_counts_its_own_files_and_those_shared(tmp_path: Path) -> None:
    two = server(tmp_path)
    assert source_lines(two, "hello") == 2 + 1
    assert source_lines(two, "blog") == 2 + 3
