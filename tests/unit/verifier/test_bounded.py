"""Servers that never come to an end: each is told within its limit, and costs no memory."""

from __future__ import annotations

import gzip
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from webdyno.trial.starting.first_answer import answers
from webdyno.verifier import Mismatch, Probe

Say = Callable[[socket.socket], None]

HEAD = b"HTTP/1.1 200 OK\r\n"


def drip(peer: socket.socket) -> None:
    for byte in HEAD * 100:
        peer.sendall(bytes([byte]))
        time.sleep(0.05)


def interim(peer: socket.socket) -> None:
    while True:
        peer.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 10)
        time.sleep(0.01)


def drip_a_body(peer: socket.socket) -> None:
    peer.sendall(HEAD + b"Content-Length: 10000\r\n\r\n")
    drip(peer)


def silence(peer: socket.socket) -> None:
    peer.recv(1)


def long_body(peer: socket.socket) -> None:
    peer.sendall(HEAD + b"Content-Length: 10000000000\r\n\r\n")
    while True:
        peer.sendall(bytes(1 << 20))


def bomb(peer: socket.socket) -> None:
    packed = gzip.compress(bytes(200_000_000), 1)
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    peer.sendall(head + packed)


@contextmanager
def hostile(say: Say) -> Iterator[int]:
    """A server that answers every connection with `say`; gives its port."""

    def serve(peer: socket.socket) -> None:
        try:
            peer.recv(4096)
            say(peer)
        except OSError:
            pass
        finally:
            peer.close()

    def accept() -> None:
        try:
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        except OSError:
            pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("say", [drip, interim, drip_a_body, silence])
def test_what_never_ends_is_told_at_the_deadline(say: Say) -> None:
    with hostile(say) as port, Probe(f"http://127.0.0.1:{port}", timeout=0.1) as probe:
        began = time.monotonic()
        with pytest.raises(Mismatch, match=r"GET /: no answer within 0\.1 s"):
            probe.get("/")
        assert time.monotonic() - began < 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("say", "told"),
    [(long_body, r"no answer \(it .* than 64 MB"), (bomb, "it unpacks to more than 64 MB")],
)
def test_what_is_too_large_is_told_and_not_kept(say: Say, told: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (
        hostile(say) as port,
        Probe(f"http://127.0.0.1:{port}") as probe,
        pytest.raises(Mismatch, match=told),
    ):
        probe.get("/")
    if say is long_body:  # The bomb's maker is in this process, and needs more than its reader.
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB


@pytest.mark.parametrize("say", [drip, interim, drip_a_body, silence])
def test_a_start_is_not_held_up_by_what_never_ends(say: Say) -> None:
    with hostile(say) as port:
        began = time.monotonic()
        assert not answers(port, "/", began + 0.1)
        assert time.monotonic() - began < 20


def test_a_first_answer_of_any_length_and_status_is_one() -> None:
    def fails(peer: socket.socket) -> None:
        peer.sendall(b"HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno")

    for say, status in ((fails, 500), (long_body, 200)):
        with hostile(say) as port:
            assert answers(port, "/", time.monotonic() + 10) == status
