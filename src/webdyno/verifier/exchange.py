"""A request and its answer by hand, sooner after the one before than an HTTP library can."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable

_READ_BYTES = 64 * 1024
_LONGEST_HEAD, _MOST_BYTES = 64 * 1024, 64_000_000
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]+)[ \t]*\r\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[^\r\n]*chunked", re.IGNORECASE)
_CLOSE = re.compile(rb"\r\nconnection:[^\r\n]*close", re.IGNORECASE)
_WITHOUT_BODY = (b"204", b"304")


def exchange(connected: socket.socket, request: bytes, deadline: float) -> bool:
    """Send `request` and read its answer to the end, which is no matter here; whether the server
    says that it keeps the connection. `deadline` is of `time.monotonic`.

    Raises `OSError` where the connection ends or nothing more comes in time, and `ValueError` where
    no end of the answer can be told.
    """

    def more() -> bytes:
        connected.settimeout(max(1e-6, deadline - time.monotonic()))
        data = connected.recv(_READ_BYTES)
        if not data:
            raise ConnectionResetError("the server ended the connection")
        return data

    connected.settimeout(max(1e-6, deadline - time.monotonic()))
    connected.sendall(request)
    came = bytearray()
    while True:
        while (end := came.find(b"\r\n\r\n")) < 0:
            if len(came) > _LONGEST_HEAD:
                raise ValueError("its head does not end")
            came += more()
        head = bytes(came[: end + 2])
        del came[: end + 4]
        _, _, status = head[:12].partition(b" ")
        if not status.startswith(b"1"):
            break
    length = _LENGTH.search(head)
    if status in _WITHOUT_BODY:
        rest = len(came)
    elif _CHUNKED.search(head):
        end = _end_of_chunks(came, more)
        rest = len(came) - end
    elif length is not None:
        rest = len(came) - _bounded(int(length[1]))
        while rest < 0:
            rest += len(more())
    else:
        raise ValueError("its end is not told")
    if rest:
        raise ValueError("more came than an answer")
    return not _CLOSE.search(head)


def _end_of_chunks(came: bytearray, more: Callable[[], bytes]) -> int:
    """Where the body in chunks ends (RFC 9112, section 7.1) that begins `came`, to which is added
    what comes."""
    at = 0
    while True:
        while (line := came.find(b"\r\n", at)) < 0:
            came += more()
        size = int(bytes(came[at:line]).partition(b";")[0], 16)
        if size == 0:
            while (end := came.find(b"\r\n\r\n", line)) < 0:
                came += more()
            return end + 4
        at = _bounded(line + 2 + size + 2)
        while len(came) < at:
            came += more()


def _bounded(size: int) -> int:
    if size > _MOST_BYTES:
        raise ValueError(f"it is larger than {_MOST_BYTES // 10**6} MB")
    return size
