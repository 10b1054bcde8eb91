"""What a machine of a cluster answers to the others, through its keeper: facts, clock, link."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType

from webdyno.cluster.link.clock import answer_clock
from webdyno.cluster.link.counters import interface_of, read_counters
from webdyno.cluster.link.throughput import LONGEST_S, received_rate, send_for
from webdyno.cluster.machines.membership import PORTS
from webdyno.cluster.wire.channel import Channel, ChannelRefused, welcome
from webdyno.errors import UserError
from webdyno.runtime.machine.noise import measure_noise

QUIET_S = 60.0
"""A channel on which nothing comes for so long is closed."""

MOST = 512
"""Channels at once."""

NOISE_S = 30.0
"""The longest that a machine measures its noise for another."""

LIFE = "life"
"""What a machine wants that lives as long as the first one does."""


class KeeperListener:
    """Listens at one address and port, and nowhere else."""

    def __init__(
        self,
        address: str,
        port: int,
        secret: str,
        facts: Callable[[], Mapping[str, object]],
        *,
        head: bool,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Raises `UserError` where the address is not this machine's, or the port is taken."""
        self._secret, self._facts, self._head = secret, facts, head
        self._environment = dict(environment)
        self._interface = interface_of(address)
        self._room = threading.BoundedSemaphore(MOST)
        try:
            self._socket = socket.create_server((address, port), backlog=128)
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise UserError(
                    f"{address} is not an address of this machine; give one of its own with "
                    "--address"
                ) from None
            raise UserError(
                f"{address}: port {port}, one of the {PORTS} that a cluster uses: "
                f"{error.strerror or error}; give the first of a range of free ports with --port"
            ) from None

    def start(self) -> None:
        """Answer from now on, in the background."""
        threading.Thread(target=self._accept, daemon=True, name="listener").start()

    def _accept(self) -> None:
        while True:
            link, _ = self._socket.accept()
            if not self._room.acquire(blocking=False):
                link.close()
                continue
            threading.Thread(target=self._answer, args=(link,), daemon=True).start()

    def _answer(self, link: socket.socket) -> None:
        with contextlib.suppress(OSError, ChannelRefused, ValueError), link:
            try:
                channel, want = welcome(link, self._secret)
                link.settimeout(QUIET_S)
                self._serve(channel, *want.split())
            finally:
                self._room.release()

    def _serve(self, channel: Channel, what: str, *how: str) -> None:
        if what == "clock":
            answer_clock(channel)
        elif what == "facts":
            channel.say(self._facts())
        elif what == "environment":
            channel.say(self._environment)
        elif what == "counters":
            channel.say(read_counters(self._interface))
        elif what == "noise":
            channel.say(measure_noise(min(float(how[0]), NOISE_S)).model_dump(mode="json"))
        elif what == "sink":
            channel.say({"bytes_per_s": received_rate(channel, _seconds(how))})
        elif what == "source":
            send_for(channel, _seconds(how))
        elif what == LIFE and self._head:
            _live(channel)
        else:
            channel.say({"refused": what})


def _seconds(how: tuple[str, ...]) -> float:
    return min(float(how[0]), LONGEST_S)


def _live(channel: Channel) -> None:
    """Hold the channel as long as both sides are there."""
    channel.say({"alive": True})
    while True:
        channel.hear()
        channel.say({"alive": True})
