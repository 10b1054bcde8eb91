"""A client that stops reading an answer for a while, and leaves before its end."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Callable
from typing import NamedTuple

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
    connected: socket.socket,
    host: str,
    path: str,
    *,
    timeout: float,
    pause: Callable[[], None],
    pieces: int,
) -> Read:
    """Ask for `path` on the open connection to `host`; read a piece, read nothing during `pause`,
    then up to so many pieces in all. Closes it.

    Raises `Breakdown` where the server breaks off or does not answer.
    """
    connection = http.client.HTTPConnection(host)
    connection.sock = connected
    try:
        connected.settimeout(timeout)
        asked_s = time.time()
        answer = _asked(connection, path)
        body = bytearray(answer.read(PIECE))
        # Not before: by the window that this end offers, a server could tell it from the load's.
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        pause()
        resumed_s = time.time()
        while len(body) < pieces * PIECE:
            part = answer.read(pieces * PIECE - len(body))
            if not part:
                raise Breakdown(f"GET {path}: it ends after {len(body)} bytes")
            body += part
    except (OSError, http.client.HTTPException) as error:
        said = str(error) or type(error).__name__
        raise Breakdown(f"GET {path}: not read to the end ({said})") from None
    finally:
        connection.close()
    return Read(asked_s, resumed_s, bytes(body))


def _asked(connection: http.client.HTTPConnection, path: str) -> http.client.HTTPResponse:
    """Ask as the load does, without headers of the client's own."""
    connection.putrequest("GET", path, skip_accept_encoding=True)
    connection.endheaders()
    answer = connection.getresponse()
    if answer.status != 200:
        raise Breakdown(f"GET {path} was answered {answer.status}")
    return answer
