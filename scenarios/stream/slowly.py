"""A client that stops reading an answer for a while, and leaves before its end."""

from __future__ import annotations

import contextlib
import http.client
import socket
import time
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from webdyno.verifier import Breakdown

PIECE = 4096
# Small, so that what is sent meanwhile waits in the server and not here.
BUFFER_BYTES = 64 * 1024


class Read(NamedTuple):
    """What was read of an answer."""

    asked_s: float
    resumed_s: float
    """When reading went on, in seconds since 1970."""
    body: bytes

    @property
    def last(self) -> bytes:
        """The last piece."""
        return self.body[-PIECE:]


def read(
    base_url: str, path: str, *, earlier: Sequence[str], timeout: float, pause_s: float, pieces: int
) -> Read:
    """Ask for `earlier` and read the answers; then ask for `path`, read a piece, read nothing for
    `pause_s`, then up to so many pieces in all.

    Raises `Breakdown` where the server breaks off or does not answer.
    """
    host = urlsplit(base_url)
    connection = http.client.HTTPConnection(host.hostname or "", host.port, timeout=timeout)
    with contextlib.closing(connection):
        try:
            connection.sock = _connected(host.hostname or "", host.port or 80, timeout)
            for one in earlier:
                _asked(connection, one).read()
            asked_s = time.time()
            answer = _asked(connection, path)
            body = bytearray(answer.read(PIECE))
            time.sleep(pause_s)
            resumed_s = time.time()
            while len(body) < pieces * PIECE:
                part = answer.read(pieces * PIECE - len(body))
                if not part:
                    raise Breakdown(f"GET {path}: it ends after {len(body)} bytes")
                body += part
        except (OSError, http.client.HTTPException) as error:
            said = str(error) or type(error).__name__
            raise Breakdown(f"GET {path}: not read to the end ({said})") from None
    return Read(asked_s, resumed_s, bytes(body))


def _asked(connection: http.client.HTTPConnection, path: str) -> http.client.HTTPResponse:
    """Ask as the load does, without headers of the client's own."""
    connection.putrequest("GET", path, skip_accept_encoding=True)
    connection.endheaders()
    answer = connection.getresponse()
    if answer.status != 200:
        raise Breakdown(f"GET {path} was answered {answer.status}")
    return answer


def _connected(host: str, port: int, timeout: float) -> socket.socket:
    client = socket.socket()
    client.settimeout(timeout)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
    client.connect((host, port))
    return client
