"""The first answer of a server that starts: awaited with an end, whatever it sends instead."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import time
from typing import Any

from webdyno.runtime.ports import LOOPBACK

MOST_BYTES = 64_000_000
"""Of an answer that are read; one that is longer has answered all the same."""


NOT_READY = frozenset((502, 503, 504))
"""By these a server says that it is still starting, or a proxy in front of it: Bad Gateway, Service
Unavailable, Gateway Timeout."""


def answers(port: int, target: str, deadline: float, address: str = LOOPBACK) -> int:
    """The status with which the server at `address` and `port` answers `GET target` before
    `deadline`, of `time.monotonic`; 0 where it does not.

    Neither a byte now and then nor endless interim answers are an answer.
    """
    connection = _Connection(address, port, deadline)
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
        # Asked as the load asks, so that its first request tells a server nothing.
        connection.putrequest("GET", target, skip_accept_encoding=True)
        connection.endheaders()
        response, left = connection.getresponse(), MOST_BYTES
        while left > 0 and (part := response.read(1 << 16)):
            left -= len(part)
        return response.status
    return 0


TLS_TIMEOUT_S = 1.0
"""For a handshake on this machine."""


def speaks_tls(port: int, address: str = LOOPBACK) -> bool:
    """Whether who listens at `address` and `port` makes a TLS handshake, or ends one by an alert of
    TLS: such a server mostly closes a connection on which it is asked in plain HTTP."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((address, port), TLS_TIMEOUT_S) as plain,
            context.wrap_socket(plain),
        ):
            return True
    except ssl.SSLError as error:
        return "ALERT" in (error.reason or "")
    except OSError:
        return False


class _Connection(http.client.HTTPConnection):
    """Ends at its deadline; http.client's own timeout begins anew with every byte."""

    def __init__(self, address: str, port: int, deadline: float) -> None:
        super().__init__(address, port, timeout=max(0.001, deadline - time.monotonic()))
        self._deadline = deadline

    def connect(self) -> None:
        super().connect()
        timed = _Timed(fileno=self.sock.detach())
        timed.deadline = self._deadline
        self.sock = timed


class _Timed(socket.socket):
    deadline = 0.0

    def recv_into(self, *given: Any, **options: Any) -> int:
        left_s = self.deadline - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        self.settimeout(left_s)
        return super().recv_into(*given, **options)
