"""Requests by hand, against real sockets: where answers end, and that nothing tells of them."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from support.raw_server import raw_server
from support.services import wait_until
from webdyno.generators.drawn import DrawnRequest
from webdyno.verifier import Breakdown, Probe
from webdyno.verifier.exchange import _is_whole, exchange, status_after

OK = b"HTTP/1.1 200 OK\r\n"
WHOLE = OK + b"content-length:  2 \r\n\r\nok"
CHUNKED = OK + b"TRANSFER-ENCODING: chunked\r\n\r\n"
LOADS, QUESTION = b"GET /load HTTP/1.1\r\nHost: h\r\n\r\n", b"GET /question"


def told(answer: bytes, pieces: int = 1) -> bool:
    """What `exchange` tells of `answer`, which comes in so many pieces, and then nothing."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)

        def answered() -> None:
            theirs.recv(65536)
            step = max(1, len(answer) // pieces)
            for at in range(0, len(answer), step):
                theirs.sendall(answer[at : at + step])
                if pieces > 1:
                    time.sleep(0.001)
            theirs.shutdown(socket.SHUT_WR)

        other = threading.Thread(target=answered)
        other.start()
        try:
            return exchange(ours, LOADS, time.monotonic() + 5)
        finally:
            other.join()


@pytest.mark.parametrize("pieces", [1, 50])
@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (WHOLE, True),
        (OK + b"Content-Length: 0\r\n\r\n", True),
        (OK + b"Connection: close\r\nContent-Length: 1\r\n\r\nx", False),
        (OK + b"Connection: Close\r\nContent-Length: 1\r\n\r\nx", False),
        (CHUNKED + b"0\r\n\r\n", True),
        # An end within a piece is none.
        (CHUNKED + b"7;x=y\r\n\r\n0\r\n\r\n\r\na\r\n0123456789\r\n0\r\n\r\n", True),
        (CHUNKED + b"1\r\nx\r\n0\r\nTrailer: 1\r\n\r\n", True),
        (b"HTTP/1.1 204 No Content\r\n\r\n", True),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + WHOLE, True),
        # One without a length goes on until the connection ends.
        (OK + b"\r\nof unknown length", False),
    ],
)
def test_an_answer_is_read_to_its_end(answer: bytes, kept: bool, pieces: int) -> None:
    assert told(answer, pieces) is kept


@pytest.mark.parametrize(
    ("answer", "is_whole"),
    [
        (WHOLE, True),
        (OK + b"Content-Type: a/b\r\nCONTENT-LENGTH: 0\r\nServer: x\r\n\r\n", True),
        (OK + b"Connection: keep-alive\r\nContent-Length: 1\r\n\r\nx", True),
        # For the parser to tell.
        (b"", False),
        (OK + b"Content-Length: 2\r\n\r\n", False),
        (WHOLE + b"x", False),
        (OK + b"\r\nof unknown length", False),
        (OK + b"Content-Length: -1\r\n\r\n", False),
        (OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nx", False),
        (OK + b"Connection: close\r\nContent-Length: 1\r\n\r\nx", False),
        (CHUNKED + b"0\r\n\r\n", False),
        (CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\n") + b"0\r\n\r\n", False),
        (b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", False),
    ],
)
def test_a_plain_answer_is_known_without_a_parser(answer: bytes, is_whole: bool) -> None:
    assert _is_whole(answer) is is_whole


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        OK,
        OK + b"Content-Length: 3\r\n\r\nok",
        CHUNKED + b"2\r\nok\r\n",
        CHUNKED + b"x\r\nok\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n-6\r\nok",
        CHUNKED + b"1" * 100_000,
        CHUNKED + b"0\r\n" + b"X: y\r\n" * 20_000,
        OK + b"Content-Length: 100000000\r\n\r\n",
        WHOLE + WHOLE,
        OK + b"X: " + b"x" * 100_000,
    ],
)
def test_what_is_no_answer_is_told(answer: bytes) -> None:
    with pytest.raises((OSError, ValueError)):
        told(answer)


def test_an_answer_that_does_not_come_is_told_in_time() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, pytest.raises(TimeoutError):
        exchange(ours, LOADS, time.monotonic() + 0.05)


@contextmanager
def serving(answers: int, last: bytes = WHOLE) -> Iterator[tuple[str, list[list[bytes]]]]:
    """A server that gives so many answers on each connection, then ends it, after `last`; what it
    was asked on each."""
    asked: list[list[bytes]] = []

    def talk(peer: socket.socket) -> None:
        mine: list[bytes] = []
        asked.append(mine)
        while len(mine) < answers and (data := peer.recv(65536)):
            mine.append(data)
            peer.sendall(last if len(mine) == answers else WHOLE)

    with raw_server(talk) as url:
        yield url, asked


def test_each_question_comes_amid_requests_of_the_load() -> None:
    with serving(1000) as (url, asked), Probe(url, connections=2) as probe:
        probe.amid(lambda: [LOADS] * 3)
        for _ in range(6):
            assert probe.get("/question").text == "ok"
    for mine in asked:
        # Nothing goes ahead of a connection's first one.
        assert mine[0].startswith(QUESTION)
        assert [one == LOADS for one in mine] == [False] + [True, True, True, False] * 2


@pytest.mark.parametrize(
    ("last", "ended"),
    [(WHOLE, 1), (WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), 0)],
)
def test_a_connection_that_ends_before_a_question_is_no_failure(last: bytes, ended: int) -> None:
    with serving(4, last) as (url, asked), Probe(url, connections=1, repeats=True) as probe:
        probe.amid(lambda: [LOADS] * 3)
        assert [probe.get("/question").text for _ in range(2)] == ["ok"] * 2
        assert probe.ended == ended
    assert [len(mine) for mine in asked] == [4, 1]


def test_an_answer_that_never_ends_is_told_in_time() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:

        def flood() -> None:
            try:
                theirs.sendall(OK + b"\r\n")
                while True:
                    theirs.sendall(b"x" * 1000)
            except OSError:
                pass

        other = threading.Thread(target=flood)
        other.start()
        began = time.monotonic()
        try:
            with pytest.raises((TimeoutError, ValueError)):
                exchange(ours, LOADS, began + 0.05)
        finally:
            ours.close()
            other.join()


def test_silence_before_a_question_is_told_as_that_of_what_went_ahead() -> None:
    with serving(2, b"") as (url, _), Probe(url, connections=1, timeout=0.2) as probe:
        probe.amid(lambda: [LOADS] * 3)
        probe.get("/question")
        with pytest.raises(
            Breakdown, match=r"^a request like the load's, sent before GET /question: no answer"
        ):
            probe.get("/question")


@pytest.mark.parametrize(
    ("last", "ended"),
    [(WHOLE, 1), (WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), 0)],
)
def test_requests_by_hand_share_a_connection_with_others(last: bytes, ended: int) -> None:
    with serving(5, last) as (url, asked), Probe(url, connections=1) as probe:
        assert not probe.exchange(0, LOADS)  # None is open yet.
        probe.get("/question")
        assert [probe.exchange(0, LOADS) for _ in range(3)] == [True] * 3
        assert probe.exchange(0, LOADS) is bool(ended)
        assert not probe.exchange(0, LOADS)
        assert probe.get("/question").text == "ok"
        assert (probe.opened, probe.ended) == (2, ended)
    assert [len(mine) for mine in asked] == [5, 1]


@pytest.mark.parametrize("body", [None, "", "böse"])
def test_a_request_is_written_as_the_probe_sends_it(body: str | None) -> None:
    with serving(1000) as (url, asked), Probe(url, connections=1) as probe:
        path, headers = "/a?b=%20c", {"X-One": "1", "x-two": "2"}
        method = "GET" if body is None else "POST"
        request = DrawnRequest("a", {}, method, path, headers, body)
        probe.request(method, path, headers=headers, content=body)
        assert probe.exchange(0, request.written(url.removeprefix("http://")))
    sent, by_hand = asked[0]
    assert by_hand == sent


def test_a_connection_that_is_kept_busy_carries_questions_without_a_pause() -> None:
    with serving(10**6) as (url, asked), Probe(url, connections=2) as probe:
        with probe.kept_busy(lambda: LOADS):
            for _ in range(8):
                assert probe.get("/question").text == "ok"
                wait_until(lambda: all(mine[-1] == LOADS for mine in asked))
        sent = sum(map(len, asked))
        assert probe.get("/question").text == "ok"
        # No longer than that.
        assert sum(map(len, asked)) == sent + 1
        assert (probe.opened, probe.ended) == (2, 0)
    for mine in asked:
        # Nothing goes before the question that opens it.
        assert [one.startswith(QUESTION) for one in mine[:2]] == [True, False]
        assert sum(one.startswith(QUESTION) for one in mine) >= 4


def test_a_connection_that_ends_while_it_is_kept_busy_is_opened_by_the_next_question() -> None:
    with serving(5) as (url, asked), Probe(url, connections=1, repeats=True) as probe:
        with probe.kept_busy(lambda: LOADS):
            for _ in range(3):
                assert probe.get("/question").text == "ok"
                wait_until(lambda: len(asked[-1]) == 5)
        assert probe.opened == 3
    assert [mine[0].startswith(QUESTION) for mine in asked] == [True] * 3


def test_a_connection_that_falls_silent_is_kept_busy_no_more() -> None:
    asked: list[list[bytes]] = []

    def talk(peer: socket.socket) -> None:
        asked.append([peer.recv(65536)])
        peer.sendall(WHOLE)
        while data := peer.recv(65536):
            asked[-1].append(data)

    with (
        raw_server(talk) as url,
        Probe(url, connections=1, timeout=0.5) as probe,
        probe.kept_busy(lambda: LOADS),
    ):
        probe.get("/question")
        wait_until(lambda: len(asked[0]) == 2)
        probe.get("/question")
        time.sleep(0.05)
    assert [[one == LOADS for one in mine] for mine in asked] == [[False, True], [False]]


REFUSED = b"HTTP/1.1 405 No\r\nContent-Length: 2\r\n\r\nno"
NOWHERE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        (REFUSED, NOWHERE, 404),
        (CHUNKED + b"1\r\nx\r\n0\r\n\r\n", NOWHERE, 404),
        # What looks like a request in the body of the first was answered, too.
        (NOWHERE + WHOLE, NOWHERE, 200),
        (REFUSED, b"", None),
        (b"", b"", None),
        (REFUSED.replace(b"Content", b"Connection: close\r\nContent"), NOWHERE, None),
    ],
)
def test_what_comes_after_an_answer_is_told_by_its_status(
    first: bytes, second: bytes, status: int | None
) -> None:
    def talk(peer: socket.socket) -> None:
        for answer in (first, second):
            if answer and peer.recv(65536):
                peer.sendall(answer)

    with raw_server(talk) as url:
        host, _, port = url.rpartition("/")[2].partition(":")
        with socket.create_connection((host, int(port))) as ours:
            assert status_after(ours, LOADS, LOADS, time.monotonic() + 5) == status
