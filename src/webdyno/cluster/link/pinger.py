"""Round-trip times to the server's machine while the load is on: a growing one is a queue."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from webdyno.cluster.link.clock import exchange
from webdyno.cluster.wire.channel import Channel, ChannelRefused
from webdyno.cluster.wire.messages import BoundedCount, WireMessage


class Pings(WireMessage):
    """Round-trip times beside a load; None where none was seen."""

    count: BoundedCount = 0
    median_s: float | None = None
    max_s: float | None = None


class Pinger:
    """Asks every so often, on a thread of its own."""

    def __init__(self, dial: Callable[[str], Channel], every_s: float) -> None:
        self._dial, self._every_s = dial, every_s
        self._over = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self._delays: list[int] = []
        self._thread = threading.Thread(target=self._run, daemon=True, name="pinger")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def hold(self) -> None:
        """Ask nothing until `go_on`."""
        self._going.clear()

    def go_on(self) -> None:
        """Ask again."""
        self._going.set()

    def end(self) -> Pings:
        """End, and give what was seen in seconds; None where nothing was."""
        self._over.set()
        self._going.set()
        self._thread.join(2.0)
        delays = sorted(self._delays)
        if not delays:
            return Pings()
        median = delays[len(delays) // 2]
        return Pings(count=len(delays), median_s=median / 1e9, max_s=delays[-1] / 1e9)

    def _run(self) -> None:
        with contextlib.suppress(OSError, ChannelRefused), self._dial("clock") as channel:
            while self._going.wait() and not self._over.wait(self._every_s):
                self._delays.append(exchange(channel, len(self._delays)).delay)
