"""A client's connections with an end: what a server sends is read until a deadline, and so much of
it, whether it drips, never ends or unpacks into more than there is memory."""

from __future__ import annotations

import math
import re
import secrets
import select
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpcore
import httpx

from webdyno.verifier.asking_turns import AskingTurns
from webdyno.verifier.awake import ALWAYS, AwakeClock
from webdyno.verifier.exchange import MOST_BYTES, exchange


@dataclass
class Allowance:
    """What the answer that is being read may still take."""

    seconds: float = math.inf
    """In which it has to come, by `time.monotonic`."""
    deadline: float = math.inf
    """Of `time.monotonic`."""
    bytes_left: int = MOST_BYTES
    opened: bool = False
    """Whether a connection was opened for it."""
    kept_s: float = -math.inf
    """When the answer before it left a connection open, by `time.monotonic`."""
    ahead: Callable[[], Sequence[bytes]] = tuple
    """Draws requests that are exchanged on the connection directly before the one that is asked."""
    ahead_s: float = -math.inf
    """When the last of those was answered, by `time.monotonic`."""
    told_end: bool = False
    """Whether the server said that it ends the connection, after one of those."""
    connected: socket.socket | None = None
    """Of the connection opened last."""
    due: bool = False
    """Whether what goes ahead is still to be sent or answered."""
    took_s: float = 0.0
    """How long the answer before it took."""
    in_pieces: bool = False
    """Whether the request is sent in pieces, with a pause before the next."""
    early: bool = False
    """Whether anything was answered before the last of them was sent."""
    clock: AwakeClock = ALWAYS
    """Of the server's time: it has no other for an answer."""
    turns: AskingTurns = field(default_factory=AskingTurns)
    """Of the questions on the connection, and of what keeps it busy between them."""

    def renew(self, seconds: float) -> None:
        """For a new request, answered within `seconds` of the server's time."""
        self.seconds = self.clock.longest_s(seconds)
        self.deadline = time.monotonic() + self.seconds
        self.bytes_left = MOST_BYTES
        self.opened = self.told_end = self.in_pieces = self.early = False
        self.ahead_s = -math.inf
        self.due = True

    def ask_now(self) -> None:
        """For the request itself, with nothing ahead of it any more: it has all its time."""
        self.due = False
        self.deadline = time.monotonic() + self.seconds

    @property
    def heard(self) -> bool:
        """Whether anything came of the answer."""
        return self.bytes_left < MOST_BYTES


class BoundedTransport(httpx.HTTPTransport):
    """Plain HTTP within an `Allowance`; past it, httpx's own errors of reading and connecting."""

    def __init__(self, allowance: Allowance) -> None:
        # Reading the certificates takes 20 ms, and is of no use on plain HTTP.
        super().__init__(verify=False, trust_env=False)
        self._pool.close()
        self._pool = httpcore.ConnectionPool(network_backend=_Backend(allowance))


def read_body(response: httpx.Response) -> None:
    """Read the body of a streamed `response`, as `response.read` does. Raises `httpx.ReadError`
    where it unpacks into more than `MOST_BYTES`."""
    parts, size = [], 0
    for part in response.iter_bytes():
        size += len(part)
        if size > MOST_BYTES:
            raise httpx.ReadError(f"it unpacks to more than {MOST_BYTES // 10**6} MB")
        parts.append(part)
    # httpx has no public way to bound what it unpacks; this is what its `read` leaves behind.
    response._content = b"".join(parts)


class _Backend(httpcore.SyncBackend):
    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance

    def connect_tcp(self, *given: Any, **options: Any) -> httpcore.NetworkStream:
        self._allowance.opened = True
        if self._allowance.due:
            self._allowance.ask_now()  # Nothing goes ahead on a new connection.
        stream = super().connect_tcp(*given, **options)
        self._allowance.connected = stream.get_extra_info("socket")
        return _Stream(stream, self._allowance)


_BEFORE_BODY = re.compile(rb"\r\ncontent-length: *[1-9][0-9]*\r\n(?s:.*\r\n)?\r\n\Z", re.IGNORECASE)
"""The end of a head that a body follows, of the length told."""

_LONGEST_HEAD = 16_384

PIECES_APART_S, MOST_APART_S = 0.02, 0.5
"""Long enough for a server to read a piece by itself, and to answer what it takes for a request: if
it is busy, twice as long as its answer before took."""

_LOOK_S = 0.001
"""How often it is looked for an answer of a server that stands still."""


class _Stream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, allowance: Allowance) -> None:
        self._inner, self._allowance = inner, allowance
        self._head = b""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        left_s = self._allowance.deadline - time.monotonic()
        if left_s <= 0:
            raise httpcore.ReadTimeout
        if self._allowance.bytes_left <= 0:
            raise httpcore.ReadError(f"it is larger than {MOST_BYTES // 10**6} MB")
        read = self._inner.read(max_bytes, left_s if timeout is None else min(timeout, left_s))
        self._allowance.bytes_left -= len(read)
        return read

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """A head goes out with the beginning of its body, as the load's do: sent before it, it
        would tell a server that this is a proof. So would a pause before it."""
        if self._allowance.due:
            self._go_ahead()
        head, self._head = self._head, b""
        if not head and len(buffer) <= _LONGEST_HEAD and _BEFORE_BODY.search(buffer):
            self._head = buffer
        else:
            self._send(head + buffer, timeout)

    def _send(self, request: bytes, timeout: float | None) -> None:
        """At once, or in pieces: the last of them is a part of the empty line that ends a head."""
        last = len(request) - 2
        if self._allowance.in_pieces and last > 1:
            cut = 1 + secrets.randbelow(last - 1)
            for piece in (request[:cut], request[cut:last]):
                self._inner.write(piece, timeout)
                self._allowance.early |= self._is_answered()
            request = request[last:]
        self._inner.write(request, timeout)

    def _is_answered(self) -> bool:
        """Whether an answer comes before the next piece is due."""
        connected = self.get_extra_info("socket")
        apart_s = max(PIECES_APART_S, min(MOST_APART_S, 2 * self._allowance.took_s))
        # Not by `select`, which knows no more than 1,024 files.
        waiting = select.poll()
        waiting.register(connected, select.POLLIN)
        clock = self._allowance.clock
        ends = clock.now() + apart_s
        try:
            while (left_s := ends - clock.now()) > 0:
                if waiting.poll(1000 * max(_LOOK_S, left_s)):
                    # The end of a connection is no answer.
                    return bool(connected.recv(1, socket.MSG_PEEK))
            return False
        except OSError as error:
            raise httpcore.ReadError(str(error)) from None

    def _go_ahead(self) -> None:
        """Exchange what goes ahead. Where the connection ends meanwhile nothing of the request was
        sent, as if it had been idle."""
        allowance = self._allowance
        connected = self.get_extra_info("socket")
        try:
            for request in allowance.ahead():
                kept = exchange(connected, request, time.monotonic() + allowance.seconds)
                allowance.ahead_s = time.monotonic()
                if not kept:
                    allowance.told_end = True
                    raise httpcore.ReadError("the server ends the connection")
        except TimeoutError:
            raise httpcore.ReadTimeout from None
        except (OSError, ValueError) as error:
            raise httpcore.ReadError(str(error)) from None
        allowance.ask_now()

    def close(self) -> None:
        self._inner.close()

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
