"""A server that behaves to each of its connections as the script of a test has it."""

from __future__ import annotations

import contextlib
import itertools
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class ClientConnection:
    """A connection to a `ScriptedServer`, and what was asked on it so far."""

    def __init__(self, server: ScriptedServer, number: int, open_at_start: int) -> None:
        self.server = server
        self.number = number
        self.open_at_start = open_at_start
        """Connections that were open when this one was, itself among them."""
        self.paths: list[str] = []


Respond = Callable[[ClientConnection], bytes | None]
"""What a connection's newest request is answered; nothing ends it, and None leaves it waiting."""

UNAVAILABLE = b"unavailable"


class ScriptedServer:
    """A server that knows its connections, and behaves to each as the test has it; its `workers`
    stay with a connection to its end. It hangs up on those beyond `most`, and ends all idle ones
    `every` so many requests, as a worker's end does."""

    def __init__(
        self, respond: Respond, workers: int = 1000, most: int = 1000, every: int = 10**9
    ) -> None:
        self._respond = respond
        self._workers = threading.Semaphore(workers)
        self._most = most
        self._every = every
        self._requests = itertools.count(1)
        self._idle: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._lock = threading.Lock()
        self._accepted: set[socket.socket] = set()
        self.connections: list[ClientConnection] = []
        self._listening.setblocking(False)
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    @property
    def open(self) -> int:
        """Connections that neither side has ended, by the kernel's account: one whose beginning or
        end no thread here has had the time to notice is counted all the same as it is."""
        with self._lock:
            with contextlib.suppress(OSError, ValueError):  # The server has been closed.
                # Those that wait to be accepted: a client takes them to be open.
                while select.select([self._listening], [], [], 0)[0]:
                    self._accept_one()
            return self._established()

    def _established(self) -> int:
        return sum(map(_is_established, self._accepted))

    def _accept(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # The server has been closed.
            while True:
                select.select([self._listening], [], [])
                with self._lock:
                    self._accept_one()

    def _accept_one(self) -> None:
        """Let one in that waits, if there still is one. Raises `OSError` where all is over."""
        try:
            peer, _ = self._listening.accept()
        except BlockingIOError:
            return
        if self._established() >= self._most:
            peer.close()
            return
        peer.setblocking(True)
        self._accepted.add(peer)
        connection = ClientConnection(self, len(self.connections), self._established())
        self.connections.append(connection)
        threading.Thread(target=self._serve, args=(peer, connection), daemon=True).start()

    def _serve(self, peer: socket.socket, connection: ClientConnection) -> None:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            with peer, self._workers:
                while data := peer.recv(65536):
                    with self._lock:
                        self._idle.discard(peer)
                    connection.paths.append(data.split()[1].decode())
                    body = self._respond(connection)
                    if body is None:
                        continue
                    if not body:
                        return
                    status = 503 if body == UNAVAILABLE else 200
                    head = f"HTTP/1.1 {status} Said\r\nContent-Length: {len(body)}\r\n\r\n"
                    peer.sendall(head.encode() + body)
                    if next(self._requests) % self._every == 0:
                        self._end_idle()
                    with self._lock:
                        self._idle.add(peer)
        except OSError:
            pass
        finally:
            with self._lock:
                self._accepted.discard(peer)
                self._idle.discard(peer)

    def _end_idle(self) -> None:
        with self._lock:
            for peer in self._idle:
                with contextlib.suppress(OSError):
                    peer.shutdown(socket.SHUT_RDWR)


_ESTABLISHED = 1
"""TCP_ESTABLISHED of netinet/tcp.h."""


def _is_established(peer: socket.socket) -> bool:
    """Whether neither side of a connection has ended it."""
    try:
        # The first byte of struct tcp_info is the state.
        return peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _ESTABLISHED
    except OSError:
        return False  # We have.


@contextmanager
def scripted_server(respond: Respond, **limits: int) -> Iterator[ScriptedServer]:
    server = ScriptedServer(respond, **limits)
    try:
        yield server
    finally:
        server.close()
