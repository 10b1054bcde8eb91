"""How much a link carries, tried for a moment in each direction over a channel."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

from webdyno.cluster.wire.channel import Channel
from webdyno.cluster.wire.messages import BoundedRate, WireMessage, read_message

LONGEST_S = 5.0
"""For which a machine lets its link be tried."""

_CHUNK = bytes(256 * 1024)
_SETTLING = 0.4
"""Part of the time whose bytes do not count: queues fill, and a shaper spends what it saved up."""


class Received(WireMessage):
    """What whoever received tells."""

    bytes_per_s: BoundedRate


def send_for(channel: Channel, seconds: float) -> None:
    """Send as much as goes, then end this direction."""
    until = time.monotonic() + min(seconds, LONGEST_S)
    while time.monotonic() < until:
        channel.link.sendall(_CHUNK)
    channel.link.shutdown(socket.SHUT_WR)


def received_rate(channel: Channel, seconds: float) -> float:
    """Bytes per second that came, once it had settled, until the other side ended or for `seconds`
    and as long again."""
    begun = time.monotonic()
    counted_from = begun + seconds * _SETTLING
    total, since = 0, begun
    buffer = bytearray(len(_CHUNK))
    last = begun
    while count := channel.link.recv_into(buffer):
        last = time.monotonic()
        if last < counted_from:
            since = last
            continue
        total += count
        if last > begun + 2 * seconds:
            break
    return total / (last - since) if last > since else 0.0


def try_upload(dial: Callable[[str], Channel], seconds: float) -> float:
    """Bytes per second from here to there."""
    with dial(f"sink {seconds:g}") as channel:
        send_for(channel, seconds)
        return read_message(Received, channel.hear(), "the other machine").bytes_per_s


def try_download(dial: Callable[[str], Channel], seconds: float) -> float:
    """Bytes per second from there to here."""
    with dial(f"source {seconds:g}") as channel:
        return received_rate(channel, seconds)
