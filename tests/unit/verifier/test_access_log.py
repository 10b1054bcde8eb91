"""What a server's access log is taken to say."""

from __future__ import annotations

import os
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


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    log(tmp_path / "of another", LINE.format("a"))
    (tmp_path / "log").symlink_to(tmp_path / "of another")
    linked = AccessLog(tmp_path / "log")
    assert linked.logged(1) == (0, frozenset())
    told = linked.problem("GET", "/hello/a", 200)
    assert told is not None
    assert told.endswith("it is a link, which is not followed")
    linked.mark()
    assert linked._mark == 0


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log")
    assert AccessLog(tmp_path / "log").logged(1) == (0, frozenset())


def test_a_line_without_end_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_log, "_LONGEST", 100)
    lines = log(tmp_path / "log", "x" * 1000, LINE.format("a"))
    with lines._opened() as file:
        assert max(map(len, access_log._pieces(file))) == 100
    assert lines.problem("GET", "/hello/a", 200) is None
