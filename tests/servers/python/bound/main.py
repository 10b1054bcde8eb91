"""A server with one limit, named by `BOUND`: what the laboratory says of it has to be that."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import socket
import socketserver
import threading
import time
from collections.abc import Callable

BODY = b"Hello World"
PIECE = bytes(1 << 18)
LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")


def burns(work: int = 2) -> Callable[[], None]:
    def step() -> None:
        for _ in range(work):
            hashlib.sha256(PIECE).digest()

    return step


def sleeps() -> Callable[[], None]:
    return lambda: time.sleep(0.002)


def locks(held_s: float = 0.001) -> Callable[[], None]:
    lock = threading.Lock()

    def step() -> None:
        with lock:
            time.sleep(held_s)

    return step


def asks() -> Callable[[], None]:
    """A connection of each thread's own to the service at $BUSY_PORT, which does the work."""
    own = threading.local()

    def step() -> None:
        if not hasattr(own, "service"):
            own.service = socket.create_connection(("127.0.0.1", int(os.environ["BUSY_PORT"])))
        own.service.sendall(b"?")
        own.service.recv(1)

    return step


def drifts() -> Callable[[], None]:
    """Each answer costs more than the one before: twice as much every second."""
    began = time.monotonic()

    def step() -> None:
        rounds = 100 * 2.0 ** min(time.monotonic() - began, 8.0)
        for _ in range(int(rounds)):
            hashlib.sha256(BODY).digest()

    return step


STEPS: dict[str, Callable[[], Callable[[], None]]] = {
    "": burns,
    "slower": lambda: burns(3),
    "sleeps": sleeps,
    "locks": locks,
    "crawls": lambda: locks(0.01),
    "asks": asks,
    "drifts": drifts,
}
STEP = STEPS[os.environ.get("BOUND", "")]()


class Connection(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        pending, body_left = b"", 0
        while data := self.request.recv(65536):
            pending += data
            while True:
                skipped = min(body_left, len(pending))
                pending, body_left = pending[skipped:], body_left - skipped
                if body_left or b"\r\n\r\n" not in pending:
                    break
                head, _, pending = pending.partition(b"\r\n\r\n")
                announced = LENGTH.search(head)
                body_left = int(announced[1]) if announced else 0
                known = head.split(b" ", 2)[1].split(b"?")[0] == b"/hello"
                if known:
                    STEP()
                status, body = (b"200 OK", BODY) if known else (b"404 Not Found", b"")
                self.request.sendall(
                    b"HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"
                    % (status, len(body), body)
                )


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 256


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(os.environ["PORT"])), Connection)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    server.serve_forever()
