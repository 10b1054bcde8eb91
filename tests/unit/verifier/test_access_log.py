"""What a server's access log is taken to say."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from webdyno.verifier import Mismatch, Verifier, access_log
from webdyno.verifier.access_log import AccessLog, Looked, expect_in_time, unnamed

LINE = '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET /hello/{} HTTP/1.1" 200 49'


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each log is whole before it is looked at.
    monkeypatch.setattr(access_log, "_WAIT_S", 0.01)


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


RATE, LINE_BYTES = 2000, 1000


def loaded(path: Path, written: Callable[[float], float], seconds: float = 10.0) -> AccessLog:
    """A log of a load of `RATE` answers a second, in which so many lines were `written` at each
    time, looked at every 0.8 s; whole by now."""
    line = LINE.format("a").encode()
    path.write_bytes((line.ljust(LINE_BYTES - 1) + b"\n") * round(RATE * seconds))
    log = AccessLog(path)
    times = (0.8 * number for number in range(1, round(seconds / 0.8)))
    log.looks = [Looked(at, at + 0.1, round(LINE_BYTES * written(at + 0.1))) for at in times]
    return log


def judged(log: AccessLog, since_s: float = 0.0, until_s: float = 10.0) -> Verifier:
    """By 200 answers of the load, or of that among several which was made in this time."""
    verifier = Verifier(parameters={}, folder=Path("stack-3"), work=Path("work"), random=Random(1))
    verifier.sampled_from = round(RATE * (until_s - since_s))
    step = (until_s - since_s) / 200
    expect_in_time(verifier, log, [since_s + step * number for number in range(200)])
    return verifier


@pytest.mark.parametrize(
    "written",
    [
        lambda at: RATE * at,
        # By the second, in pieces of 1 MB, and as late as may be, with as much held back.
        lambda at: RATE * int(at),
        lambda at: RATE * at // 1000 * 1000,
        lambda at: max(0.0, RATE * (at - 2.0) - 1000),
    ],
)
def test_lines_may_be_late_and_wait_in_buffers(
    tmp_path: Path, written: Callable[[float], float]
) -> None:
    [claim] = judged(loaded(tmp_path / "log", written)).evidence
    assert claim.claim.startswith("each of 11 looks into the log under load finds at least half")
    assert "lines due: those of answers given 2 s before, less 1 MB" in claim.claim


@pytest.mark.parametrize(
    "written", [lambda at: 0.0, lambda at: RATE * 0.25 * at, lambda at: RATE * min(at, 1.0)]
)
def test_lines_that_are_put_off_are_missed(
    tmp_path: Path, written: Callable[[float], float]
) -> None:
    with pytest.raises(Mismatch, match=r"one look found \d+ of the \d+ bytes due"):
        judged(loaded(tmp_path / "log", written))


# A search makes loads of 4 s, and any of them may be the one that counts.
@pytest.mark.parametrize("since_s", [0.0, 4.0, 8.0])
def test_answers_may_be_those_of_one_load_among_several(tmp_path: Path, since_s: float) -> None:
    def late(at: float) -> float:
        return max(0.0, RATE * (at - 2.0))

    assert judged(loaded(tmp_path / "log", late, 12.0), since_s, since_s + 4.0).evidence
    with pytest.raises(Mismatch, match="one look found 0 of the"):
        judged(loaded(tmp_path / "log", lambda at: 0.0, 12.0), since_s, since_s + 4.0)


def test_who_was_frozen_until_a_look_may_catch_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = log(tmp_path / "log", LINE.format("a"))

    def goes_on(_seconds: float) -> None:
        log(tmp_path / "log", *[LINE.format("a")] * 9)

    monkeypatch.setattr(access_log.time, "sleep", goes_on)
    lines.begin()
    lines.look()
    assert lines.looks[0].size == lines.path.stat().st_size > 500


def test_a_log_that_nobody_looked_at_proves_nothing(tmp_path: Path) -> None:
    log = loaded(tmp_path / "log", lambda at: RATE * at)
    log.begin()
    assert judged(log).evidence == []
