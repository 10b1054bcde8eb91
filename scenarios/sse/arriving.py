"""A client that sees when each event comes, and in which chunks."""

from __future__ import annotations

import socket
import time
from typing import NamedTuple
from urllib.parse import urlsplit

import h11

from webdyno.verifier import Breakdown, beside
from webdyno.verifier.bounded import MOST_BYTES

ends_of = beside(__file__, "events").ends_of

_BYTES = 64 * 1024
_END = h11.EndOfMessage()


class Came(NamedTuple):
    """What came of an answer."""

    body: bytes
    chunks: list[bytes]
    times_s: list[float]
    """When the end of each event came, on the clock of `time.monotonic`."""


def read(base_url: str, path: str, *, timeout: float, most: float = float("inf")) -> Came:
    """Ask for `path` on a new connection, and read its answer as `read_on` does."""
    host = urlsplit(base_url)
    try:
        connected = socket.create_connection((host.hostname or "", host.port or 80), timeout)
    except OSError as error:
        raise _broke(path, error) from None
    with connected:
        return read_on(connected, base_url, path, timeout=timeout, most=most)


def read_on(
    connected: socket.socket,
    base_url: str,
    path: str,
    *,
    timeout: float,
    most: float = float("inf"),
) -> Came:
    """Ask for `path` on this connection to `base_url`, as the load does, and read its answer to the
    end or, at most, so many events.

    Raises `Breakdown` where the server breaks off, does not answer within `timeout` seconds, or
    with more than `MOST_BYTES`.
    """
    client = h11.Connection(h11.CLIENT)
    ends = time.monotonic() + timeout
    try:
        connected.settimeout(timeout)
        _ask(connected, client, urlsplit(base_url).netloc, path)
        return _read(connected, client, path, ends, most)
    except (OSError, h11.ProtocolError) as error:
        raise _broke(path, error) from None


def _broke(path: str, error: Exception) -> Breakdown:
    said = str(error) or type(error).__name__
    return Breakdown(f"GET {path}: not read to the end ({said})")


def _ask(connected: socket.socket, client: h11.Connection, host: str, path: str) -> None:
    request = h11.Request(method="GET", target=path, headers=[("Host", host)])
    connected.sendall((client.send(request) or b"") + (client.send(_END) or b""))


def _read(
    connected: socket.socket, client: h11.Connection, path: str, ends: float, most: float
) -> Came:
    body, chunk = bytearray(), bytearray()
    chunks: list[bytes] = []
    times_s: list[float] = []
    while len(times_s) < most:
        event = client.next_event()
        if event is h11.NEED_DATA:
            left_s = ends - time.monotonic()
            if left_s <= 0:
                raise TimeoutError("timed out")
            connected.settimeout(left_s)
            client.receive_data(connected.recv(_BYTES))
        elif isinstance(event, h11.Response) and event.status_code != 200:
            raise Breakdown(f"GET {path} was answered {event.status_code}")
        elif isinstance(event, h11.Data):
            body += event.data
            if len(body) > MOST_BYTES:
                raise Breakdown(f"GET {path}: received more than {MOST_BYTES // 10**6} MB")
            chunk += event.data
            new = len(ends_of(body)) - len(times_s)
            times_s.extend([time.monotonic()] * new)
            if event.chunk_end:
                chunks.append(bytes(chunk))
                chunk.clear()
        elif isinstance(event, (h11.EndOfMessage, h11.ConnectionClosed)):
            break
    return Came(bytes(body), chunks, times_s)
