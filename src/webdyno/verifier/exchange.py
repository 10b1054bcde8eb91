"""A request and its answer without an HTTP client, sooner after the one before than one can."""

from __future__ import annotations

import socket
import time

import h11

MOST_BYTES = 64_000_000
"""Of one answer, headers and all, as it is sent and as it is unpacked: a thousand times what any
scenario's answer has."""

_READ_BYTES = 64 * 1024

_ASKED = h11.Request(method="GET", target="/", headers=[("Host", "server")])
"""Stands for what is sent: of a request the answer's end depends on no more than that it is neither
HEAD nor CONNECT."""


def exchange(connected: socket.socket, request: bytes, deadline: float) -> bool:
    """Send `request`, neither HEAD nor CONNECT, and read its answer to the end, which is no matter
    here; whether the connection stays open. `deadline` is of `time.monotonic`.

    Raises `OSError` where the connection ends or the answer does not in time, and `ValueError`
    where it is none, or larger than `MOST_BYTES`.
    """
    _wait_no_longer_than(deadline, connected)
    connected.sendall(request)
    _wait_no_longer_than(deadline, connected)
    first = connected.recv(_READ_BYTES)
    if _is_whole(first):
        return True
    parser = h11.Connection(h11.CLIENT)
    parser.send(_ASKED)
    parser.send(h11.EndOfMessage())
    left = MOST_BYTES - len(first)
    try:
        parser.receive_data(first)
        while not isinstance(event := parser.next_event(), h11.EndOfMessage):
            if event is h11.NEED_DATA:
                _wait_no_longer_than(deadline, connected)
                data = connected.recv(_READ_BYTES)
                left -= len(data)
                if left < 0:
                    raise ValueError(f"it is larger than {MOST_BYTES // 10**6} MB")
                parser.receive_data(data)
    except h11.RemoteProtocolError as error:
        raise ValueError(str(error)) from None
    more, ended = parser.trailing_data
    if more:
        raise ValueError("more bytes came than the answer has")
    return parser.their_state is h11.DONE and not ended


def status_after(
    connected: socket.socket, before: bytes, request: bytes, deadline: float
) -> int | None:
    """Send `before`, and once it is answered `request`: the status of what comes then, which need
    not be the answer to it. None where the server ends the connection instead.

    Raises `TimeoutError` where nothing comes in time, and `ValueError` where that is no answer.
    """
    parser = h11.Connection(h11.CLIENT)
    try:
        _send(connected, parser, before, deadline)
        while not isinstance(event := _next_event(connected, parser, deadline), h11.EndOfMessage):
            if isinstance(event, h11.ConnectionClosed):
                return None
        if parser.their_state is not h11.DONE:
            return None
        parser.start_next_cycle()
        _send(connected, parser, request, deadline)
        event = _next_event(connected, parser, deadline)
    except h11.RemoteProtocolError as error:
        # A connection may also end in the midst of an answer.
        if parser.their_state is h11.ERROR and not parser.trailing_data[0]:
            return None
        raise ValueError(str(error)) from None
    except ConnectionError:
        return None
    return event.status_code if isinstance(event, h11.Response) else None


def has_ended(connected: socket.socket) -> bool:
    """Whether the server has ended an idle connection."""
    waits_s = connected.gettimeout()
    try:
        connected.setblocking(False)
        return not connected.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connected.settimeout(waits_s)


def _send(
    connected: socket.socket, parser: h11.Connection, request: bytes, deadline: float
) -> None:
    parser.send(_ASKED)
    parser.send(h11.EndOfMessage())
    _wait_no_longer_than(deadline, connected)
    connected.sendall(request)


def _next_event(connected: socket.socket, parser: h11.Connection, deadline: float) -> object:
    while (event := parser.next_event()) is h11.NEED_DATA:
        _wait_no_longer_than(deadline, connected)
        parser.receive_data(connected.recv(_READ_BYTES))
    return event


def _is_whole(came: bytes) -> bool:
    """Whether it is a whole answer, of the length told, after which the connection stays open;
    False also where that is for a parser to tell. Most answers are so plain, and a parser takes
    many times as long: to a fast server, that would be a pause."""
    head, end, body = came.partition(b"\r\n\r\n")
    fields = head.lower()
    if not (end and fields.startswith(b"http/1.1 200 ")) or b"transfer-encoding" in fields:
        return False
    _, told, after = fields.partition(b"\r\ncontent-length:")
    length = after.partition(b"\r\n")[0].strip()
    is_plain = bool(told) and b"content-length" not in after and b"close" not in fields
    return is_plain and length.isdigit() and int(length) == len(body)


def _wait_no_longer_than(deadline: float, connected: socket.socket) -> None:
    left_s = deadline - time.monotonic()
    if left_s <= 0:
        raise TimeoutError("timed out")
    connected.settimeout(left_s)
