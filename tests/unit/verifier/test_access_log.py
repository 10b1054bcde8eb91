"""What a server's access log is taken to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.verifier import access_log
from webdyno.verifier.access_log import AccessLog, unnamed

LINE = '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET /hello/{} HTTP/1.1" 200 49'


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_log, "_WAIT_S", 0.05)


def log(path: Path, *lines: str, end: str = "\n") -> AccessLog:
    path.write_bytes("".join(line + end for line in lines).encode())
    return AccessLog(path)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_counted_and_name_requests(tmp_path: Path, end: str) -> None:
    logged = log(tmp_path / "log", LINE.format("a"), LINE.format("b"), end=end).logged(2)
    assert logged.lines == 2
    assert unnamed(logged, [("GET", "/hello/a"), ("GET", "/hello/b")]) is None
    assert unnamed(logged, [("GET", "/hello/c")]) == "no line names GET /hello/c"
    assert unnamed(logged, [("POST", "/hello/a")]) == "no line names POST /hello/a"


def test_lines_of_another_form_count_for_nothing(tmp_path: Path) -> None:
    assert log(tmp_path / "log", *[""] * 50, "x", LINE.format("a")).logged(50).lines == 1


def test_only_what_follows_the_mark_counts(tmp_path: Path) -> None:
    lines = log(tmp_path / "log", LINE.format("a"))
    lines.mark()
    assert lines.logged(1) == (0, frozenset())
    assert AccessLog(tmp_path / "none").logged(1).lines == 0
