"""One of a probe's connections, and what is done on it as bytes, past the HTTP client."""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from webdyno.printable import one_line
from webdyno.verifier.awake import ALWAYS, AwakeClock
from webdyno.verifier.bounded import Allowance, BoundedTransport
from webdyno.verifier.exchange import exchange, status_after
from webdyno.verifier.records import Breakdown


class ProbeConnection:
    """A connection that `transport` opens for a request and keeps open after its answer; what the
    answer may take stands in `allowance`."""

    def __init__(self, clock: AwakeClock = ALWAYS) -> None:
        self.allowance = Allowance(clock=clock)
        self.transport = BoundedTransport(self.allowance)

    def exchange(self, request: bytes, timeout_s: float) -> bool:
        """Send the bytes of `request`, where the connection is still open, and drop the answer: it
        comes as soon after the one before as a load's. Whether the connection is open then."""
        connected = self._connected()
        if connected is None:
            return False
        try:
            if exchange(connected, request, time.monotonic() + timeout_s):
                self.allowance.kept_s = time.monotonic()
                return True
            self.allowance.kept_s = -math.inf  # It said that it ends the connection.
        except (OSError, ValueError):
            pass  # The next `request` tells of it, if it is more than the end of a connection.
        self.transport.close()
        return False

    def status_after(self, before: bytes, request: bytes, timeout_s: float) -> int | None:
        """The status that comes after the bytes of `request`, sent once those of `before` were
        answered; None where the server ended the connection, or it is closed. It is closed then:
        what else comes on it belongs to nobody. Raises `Breakdown` where nothing comes in time."""
        with self.held() as (connected, _):
            if connected is None:
                return None
            deadline = time.monotonic() + timeout_s
            try:
                return status_after(connected, before, request, deadline)
            except (OSError, ValueError) as error:
                said = one_line(str(error)) or type(error).__name__
                raise Breakdown(f"a request with a body: no answer ({said})") from None

    @contextmanager
    def held(self) -> Iterator[tuple[socket.socket | None, ExitStack]]:
        """Its socket for the length of the block, None where it is closed already; and what closes
        it after the block."""
        with self.allowance.turns.question(), ExitStack() as ending:
            connected = self._connected()
            if connected is not None:
                self.allowance.kept_s = -math.inf
                ending.callback(self.transport.close)
            yield connected, ending

    def close(self) -> None:
        """Once no question is under way; the next one opens it again."""
        with self.allowance.turns.question():
            self.transport.close()

    def _connected(self) -> socket.socket | None:
        connected = self.allowance.connected
        return connected if connected is not None and connected.fileno() >= 0 else None
