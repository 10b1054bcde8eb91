"""A client of WebSocket (RFC 6455) that says by what a server departs from it."""

from __future__ import annotations

import base64
import os
import socket
import struct
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

import h11
from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event, Ping, Pong, TextMessage
from wsproto.frame_protocol import FIN_MASK, MASK_MASK, Opcode, XorMaskerSimple
from wsproto.utilities import generate_accept_token

from webdyno.verifier.exchange import MOST_BYTES
from webdyno.verifier.records import Breakdown

_READ_BYTES = 64 * 1024
# Small, so that what nobody reads waits at the server and not here.
_BUFFER_BYTES = 64 * 1024
_SWITCHING = 101

_CLOSING = (ConnectionState.REMOTE_CLOSING, ConnectionState.CLOSED)

Came = str | bytes | Pong | CloseConnection | None
"""What a server sends: a whole text or binary message, a pong, its close, or None at the end of
the connection."""


@dataclass(frozen=True)
class TextFragment(Event):
    """A piece of a text as it is sent, which may begin and end within a character (RFC 6455,
    section 5.6)."""

    data: bytes
    first: bool
    last: bool

    def framed(self) -> bytes:
        """Its frame (section 5.2), masked, as a client's must be."""
        opcode = Opcode.TEXT if self.first else Opcode.CONTINUATION
        length, mask = len(self.data), os.urandom(4)
        if length < 126:
            size = struct.pack("!B", MASK_MASK | length)
        elif length < 1 << 16:
            size = struct.pack("!BH", MASK_MASK | 126, length)
        else:
            size = struct.pack("!BQ", MASK_MASK | 127, length)
        masked = XorMaskerSimple(mask).process(bytearray(self.data))
        return bytes([FIN_MASK * self.last | opcode]) + size + mask + masked


class Taken(NamedTuple):
    """What a server took of messages while nothing was read of its own."""

    messages: int
    """That were sent whole."""
    bytes: int
    """Of their frames and of the one under way, with what this end's own small buffers hold."""
    ended: bool
    """Whether the server ended the connection meanwhile."""


class Unspoken(Exception):
    """The server departs from the protocol; the message says how, in one line."""


class NotUpgraded(Unspoken):
    """The upgrade was answered, but not by 101."""


class WebSocket:
    """One connection to a server, upgraded at `path` by `key`, of sixteen random bytes.

    Asks for the upgrade as the load does. Raises `Unspoken` where the answer does not grant it as
    the protocol has it, and `Breakdown` where nothing came within `timeout` seconds, or where the
    connection broke.
    """

    def __init__(self, base_url: str, path: str, *, key: bytes, timeout: float) -> None:
        self._what = f"WebSocket {path}"
        self._timeout = timeout
        self._left = MOST_BYTES
        self._came: deque[Came] = deque()
        self._parts: list[str | bytes] = []
        self._rest = b""
        host = urlsplit(base_url)
        try:
            self._socket = socket.create_connection((host.hostname or "", host.port or 80), timeout)
        except OSError as error:
            raise self._broke(error) from None
        try:
            self._connection = self._upgraded(host.netloc, path, base64.b64encode(key))
        except BaseException:
            self.close()
            raise

    def send(self, *events: Event) -> None:
        """Send these messages, fragments, pings or closes, in one write, after what is left of a
        message that `press` had under way."""
        data, self._rest = self._rest + b"".join(map(self._framed, events)), b""
        try:
            self._socket.settimeout(self._timeout)
            self._socket.sendall(data)
        except OSError as error:
            raise self._broke(error) from None

    def press(self, events: Iterable[Event], *, pause_s: float, longest_s: float) -> Taken:
        """Send these one after the other and read nothing, until they are sent, the server has not
        taken one within `pause_s` seconds, it ended the connection, or `longest_s` are over.

        What is left of a message under way goes out with the next `send`.
        """
        for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
            self._socket.setsockopt(socket.SOL_SOCKET, buffer, _BUFFER_BYTES)
        messages = taken = 0
        ends = time.monotonic() + longest_s
        for event in events:
            self._rest = self._framed(event)
            stops = min(ends, time.monotonic() + pause_s)
            try:
                while self._rest and (left_s := stops - time.monotonic()) > 0:
                    self._socket.settimeout(left_s)
                    sent = self._socket.send(self._rest)
                    self._rest = self._rest[sent:]
                    taken += sent
            except TimeoutError:
                break
            except OSError:
                return Taken(messages, taken, ended=True)
            if self._rest:
                break
            messages += 1
        return Taken(messages, taken, ended=False)

    def receive(self) -> Came:
        """What the server sends next; its pings are answered. Raises `Unspoken`, `Breakdown`."""
        ends = time.monotonic() + self._timeout
        while not self._came:
            data = self._read(ends)
            if not data:
                return None
            self._connection.receive_data(data)
            self._take()
        return self._came.popleft()

    def close(self) -> None:
        """Cut the connection, whatever was said on it."""
        self._socket.close()

    def __enter__(self) -> WebSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _framed(self, event: Event) -> bytes:
        return event.framed() if isinstance(event, TextFragment) else self._connection.send(event)

    def _take(self) -> None:
        for event in self._connection.events():
            if isinstance(event, (TextMessage, BytesMessage)):
                data = event.data
                self._parts.append(data if isinstance(data, str) else bytes(data))
                if event.message_finished:
                    self._came.append(_joined(event, self._parts))
                    self._parts = []
            elif isinstance(event, Ping):
                self.send(event.response())
            elif isinstance(event, Pong):
                self._came.append(event)
            elif isinstance(event, CloseConnection):
                if self._connection.state not in _CLOSING:
                    # Not the server's close, but the one that what it sent should be answered by.
                    raise Unspoken(f"the server broke the WebSocket protocol: {event.reason}")
                self._came.append(event)

    def _read(self, ends: float) -> bytes:
        """What the server sends next, empty at the end."""
        if self._left <= 0:
            raise Breakdown(f"{self._what}: received more than {MOST_BYTES // 10**6} MB")
        try:
            self._socket.settimeout(max(0.001, ends - time.monotonic()))
            data = self._socket.recv(_READ_BYTES)
        except ConnectionResetError:
            return b""  # An end too, if a rude one.
        except OSError as error:
            raise self._broke(error) from None
        self._left -= len(data)
        return data

    def _broke(self, error: OSError) -> Breakdown:
        if isinstance(error, TimeoutError):
            return Breakdown(f"{self._what}: received nothing within {self._timeout:g} s")
        return Breakdown(f"{self._what}: {error}")

    def _upgraded(self, host: str, path: str, key: bytes) -> Connection:
        """The connection after its upgrade."""
        http = h11.Connection(h11.CLIENT)
        headers = [
            ("Host", host),
            ("Upgrade", "websocket"),
            ("Connection", "Upgrade"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", key.decode()),
        ]
        request = http.send(h11.Request(method="GET", target=path, headers=headers)) or b""
        try:
            self._socket.sendall(request + (http.send(h11.EndOfMessage()) or b""))
            ends = time.monotonic() + self._timeout
            while (event := http.next_event()) is h11.NEED_DATA:
                data = self._read(ends)
                if not data:
                    raise Breakdown(f"{self._what}: the upgrade was not answered")
                http.receive_data(data)
        except h11.RemoteProtocolError as error:
            raise NotUpgraded(f"the answer to the upgrade is not HTTP: {error}") from None
        except OSError as error:
            raise self._broke(error) from None
        if not isinstance(event, (h11.InformationalResponse, h11.Response)):
            raise NotUpgraded("the upgrade was not answered")
        if event.status_code != _SWITCHING:
            raise NotUpgraded(f"the upgrade was answered {event.status_code}")
        if problem := _refused(event, key):
            raise Unspoken(problem)
        return Connection(ConnectionType.CLIENT, trailing_data=http.trailing_data[0])


def _refused(answer: h11.InformationalResponse | h11.Response, key: bytes) -> str | None:
    """Why a 101 does not grant the upgrade that was asked for by `key`; None where it does."""

    def header(name: str) -> str:
        # A field that comes several times is one list (RFC 9110, section 5.3).
        values = (value for field, value in answer.headers if field.lower() == name.encode())
        return b", ".join(values).decode("latin-1")

    def tokens(name: str) -> list[str]:
        return [token for one in header(name).lower().split(",") if (token := one.strip())]

    for name, due in (("upgrade", "websocket"), ("connection", "Upgrade")):
        if due.lower() not in tokens(name):
            return f"the answer has {name}: {header(name)!r}, not {due!r}"
    wanted, accept = generate_accept_token(key).decode(), header("sec-websocket-accept")
    if accept != wanted:
        return f"sec-websocket-accept is {accept!r} instead of {wanted!r}"
    for name in ("sec-websocket-extensions", "sec-websocket-protocol"):
        if tokens(name):
            return f"the answer has {name}, which was not offered"
    return None


def _joined(last: TextMessage | BytesMessage, parts: list[str | bytes]) -> str | bytes:
    """A message of these parts, of the type of its last one."""
    if isinstance(last, TextMessage):
        return "".join(part for part in parts if isinstance(part, str))
    return b"".join(part for part in parts if not isinstance(part, str))
