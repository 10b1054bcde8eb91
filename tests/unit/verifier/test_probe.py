"""The probe against real sockets: what it sends, and what it says when nothing comes back."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from support.raw_server import raw_server
from webdyno.verifier import Breakdown, Mismatch, Probe, bounded
from webdyno.verifier.probe_messages import came_early

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\n\r\nok"


@contextmanager
def listening(answer: bytes | None) -> Iterator[tuple[str, list[bytes]]]:
    """A server that answers every request with `answer` (None: never), and keeps what it got."""
    heads: list[bytes] = []

    def talk(peer: socket.socket) -> None:
        while data := peer.recv(65536):
            heads.append(data)
            if answer is None:
                continue
            peer.sendall(answer)
            if not answer:
                return

    with raw_server(talk) as url:
        yield url, heads


def test_it_sends_nothing_that_would_tell_it_from_the_load() -> None:
    with listening(ANSWER) as (url, heads), Probe(url, connections=1) as probe:
        assert probe.get("/json").text == "ok"
        probe.request("POST", "/updates?n=1", content=None)
    host = url.removeprefix("http://").encode()
    assert heads[0] == b"GET /json HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"
    # The engine sends a length with a body alone.
    assert heads[1] == b"POST /updates?n=1 HTTP/1.1\r\nHost: " + host + b"\r\nCookie: a=1\r\n\r\n"


@pytest.mark.parametrize("hasty", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_request_in_pieces_is_answered_at_its_end_or_came_early(
    monkeypatch: pytest.MonkeyPatch, hasty: bool
) -> None:
    monkeypatch.setattr(bounded, "PIECES_APART_S", 0.2)
    pieces: list[bytes] = []

    def talk(peer: socket.socket) -> None:
        while data := peer.recv(65536):
            pieces.append(data)
            if hasty or b"".join(pieces).endswith(b"\r\n\r\n"):
                peer.sendall(ANSWER)

    with raw_server(talk) as url, Probe(url, connections=1) as probe:
        answer = probe.get("/json", in_pieces=True)
        assert (answer.text, came_early(answer)) == ("ok", hasty)
    # What is left after an early answer may come at once, or when the answer has been read.
    if not hasty:
        assert (len(pieces), pieces[-1]) == (3, b"\r\n")
        assert b"".join(pieces).startswith(b"GET /json HTTP/1.1\r\nHost: 127.0.0.1:")


@pytest.mark.parametrize("resets", [False, True])
def test_a_connection_that_ends_amid_the_pieces_has_not_answered_early(resets: bool) -> None:
    asked: list[int] = []

    def talk(peer: socket.socket) -> None:
        """It answers one request, and ends the first connection at the next one's first piece."""
        asked.append(0)
        first, came = len(asked) == 1, b""
        while data := peer.recv(65536):
            came += data
            if first and asked[0]:
                if resets:
                    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            if came.endswith(b"\r\n\r\n"):
                came, asked[0] = b"", 1
                peer.sendall(ANSWER)

    with raw_server(talk) as url, Probe(url, connections=1, repeats=True) as probe:
        probe.get("/json")
        answer = probe.get("/json", in_pieces=True)
        assert (answer.text, came_early(answer), probe.opened) == ("ok", False, 2)


@pytest.mark.parametrize("length", [0, 1, 2_000])
def test_a_body_begins_together_with_its_head(length: int) -> None:
    with listening(ANSWER) as (url, heads), Probe(url, connections=1) as probe:
        for _ in range(20):
            assert probe.request("POST", "/upload", content=b"x" * length).text == "ok"
    head, _, body = heads[0].partition(b"\r\n\r\n")
    assert f"\r\ncontent-length: {length}".encode() in head.lower()
    assert length == 0 or body
    assert all(came.startswith(b"POST ") and came.count(b"x") >= min(1, length) for came in heads)


@pytest.mark.parametrize("body", [{"json": {"a": 1}}, {"data": {"a": "1"}}])
def test_a_body_of_any_kind_has_its_length(body: dict[str, dict[str, object]]) -> None:
    with listening(ANSWER) as (url, heads), Probe(url) as probe:
        assert probe.request("POST", "/upload", **body).text == "ok"
    head, _, sent = heads[0].partition(b"\r\n\r\n")
    assert head.lower().endswith(f"\r\ncontent-length: {len(sent)}".encode())


def test_a_path_is_asked_for_whole() -> None:
    with listening(ANSWER) as (url, heads), Probe(url) as probe:
        probe.get("//images/a b.png?of=c d")
    assert heads[0].startswith(b"GET //images/a%20b.png?of=c%20d HTTP/1.1\r\n")


def test_a_path_is_sent_as_it_is_if_asked_to() -> None:
    with listening(ANSWER) as (url, heads), Probe(url) as probe:
        for path in ("/../secret.txt", "/a/./b/../%2e%2e/c?d=../e"):
            probe.get(path, as_it_is=True)
            assert heads[-1].startswith(f"GET {path} HTTP/1.1\r\n".encode())


def test_it_uses_its_connections_in_turn_and_shares_the_cookies() -> None:
    with listening(ANSWER) as (url, heads), Probe(url, connections=3) as probe:
        for _ in range(9):
            probe.get("/")
    assert len(heads) == 9
    assert all(b"Cookie: a=1" in head for head in heads[1:])


def test_it_lends_a_connection_that_has_asked_before() -> None:
    with listening(ANSWER) as (url, _), Probe(url, connections=2) as probe:
        probe.get("/first")
        probe.get("/second")
        peers = [one.allowance.connected for one in probe._connections]
        with probe.lent() as one, probe.lent() as other:
            assert {one, other} == set(peers)
            one.sendall(b"GET /third HTTP/1.1\r\n\r\n")
            assert one.recv(65536) == ANSWER
            other.close()  # In the midst of an answer.
        for _ in peers:
            probe.get("/fourth")
        assert (probe.opened, probe.ended) == (3, 0)


def test_a_connection_on_which_a_lent_one_failed_is_closed() -> None:
    with listening(ANSWER) as (url, _), Probe(url, connections=1) as probe:
        probe.get("/first")
        with pytest.raises(ValueError, match="no answer"), probe.lent() as lent:
            raise ValueError("no answer")
        assert lent.fileno() == -1


@pytest.mark.parametrize("asked", [0, 1])
def test_it_lends_a_new_connection_where_none_is_open(asked: int) -> None:
    ended = threading.Event()

    def talk(peer: socket.socket) -> None:
        peer.recv(65536)
        peer.sendall(ANSWER)
        peer.close()
        ended.set()

    with raw_server(talk) as url, Probe(url, connections=1) as probe:
        for _ in range(asked):
            probe.get("/first")
            assert ended.wait(10)
        with probe.lent() as connected:
            connected.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert connected.recv(65536) == ANSWER
        assert connected.fileno() == -1


def test_nobody_to_lend_a_connection_to_is_a_breakdown() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with (
        Probe(f"http://127.0.0.1:{port}") as probe,
        pytest.raises(Breakdown, match="connection not opened"),
        probe.lent(),
    ):
        pass


def test_it_may_be_used_again_once_it_is_closed() -> None:
    with listening(ANSWER) as (url, heads), Probe(url, connections=1) as probe:
        probe.get("/")
        probe.close()
        probe.get("/")
        probe.another().get("/")
        probe.forget_cookies()
        probe.get("/")
    assert [b"Cookie: a=1" in head for head in heads] == [False, True, False, False]


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with listening(ANSWER) as (url, _), Probe(url) as probe:
        assert probe.get("/").status_code == 200


def test_silence_is_a_mismatch_that_names_the_request() -> None:
    with (
        listening(None) as (url, _),
        Probe(url, timeout=0.05) as probe,
        pytest.raises(Mismatch, match=r"^GET /slow: no answer within 0\.05 s$"),
    ):
        probe.get("/slow")


def test_a_closed_connection_is_a_mismatch_that_names_the_request() -> None:
    with (
        listening(b"") as (url, _),
        Probe(url) as probe,
        pytest.raises(Mismatch, match=r"^GET /gone: no answer \(.+\)$"),
    ):
        probe.get("/gone")


@contextmanager
def answering_once(answer: bytes = ANSWER, *, at_once: bool = False) -> Iterator[str]:
    """A server that answers a connection's first request, and ends it `at_once` or at the next."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    peer, _ = server.accept()
                except OSError:
                    return
                with peer:
                    peer.recv(65536)
                    peer.sendall(answer)
                    if not at_once:
                        peer.recv(65536)

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("content", [None, b"ab", [b"a", b"b"]])
def test_a_request_that_crosses_with_the_end_of_an_idle_connection_is_sent_again(
    content: bytes | list[bytes] | None,
) -> None:
    method = "GET" if content is None else "POST"
    with answering_once() as url, Probe(url, connections=1, repeats=True) as probe:
        assert [probe.request(method, "/", content=content).text for _ in range(3)] == ["ok"] * 3
        assert (probe.ended, probe.opened) == (2, 3)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_is_counted_is_not_sent_again(method: str) -> None:
    with answering_once() as url, Probe(url, connections=1) as probe:
        probe.request(method, "/")
        with pytest.raises(Breakdown, match=rf"^{method} /\?token=…: no answer \("):
            probe.request(method, "/?token=hunter2")
        assert probe.ended == 0


@pytest.mark.slow
def test_the_ends_of_connections_that_were_to_be_kept_are_counted() -> None:
    closing = ANSWER.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    for answer, ended in ((ANSWER, 2), (closing, 0)):
        with answering_once(answer, at_once=True) as url, Probe(url, connections=1) as probe:
            for _ in range(3):
                probe.get("/")
                time.sleep(0.05)
            assert probe.ended == ended


def test_nobody_listening_is_a_mismatch_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with Probe(f"http://127.0.0.1:{port}") as probe, pytest.raises(Mismatch, match="no answer"):
        probe.get("/")
