"""Objects over a channel, each with the proof that it comes from the other end and is the next.

Only what bears the proof is read: whoever knows the secret may have anything done here anyway.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import pickle
import socket
import struct
import threading
from typing import Any

from webdyno.cluster.wire.channel import Channel, ChannelRefused

_HEAD = struct.Struct("!Q32s")
MOST_BYTES = 1 << 30
"""Of an object."""


class Frames:
    """One end; `first` is that of whoever dialled."""

    def __init__(self, channel: Channel, secret: str, *, first: bool) -> None:
        self._channel = channel
        self._key = hashlib.sha256(f"{secret}\0{channel.session}".encode()).digest()
        self._ways = (b"to", b"from") if first else (b"from", b"to")
        self._sent = self._received = 0
        self._sending = threading.Lock()

    def send(self, message: Any) -> None:
        """Send an object. Raises `OSError`."""
        data = pickle.dumps(message)
        with self._sending:
            seal = self._seal(self._ways[0], self._sent, data)
            self._sent += 1
            self._channel.link.sendall(_HEAD.pack(len(data), seal) + data)

    def close(self) -> None:
        """End the connection; whoever waits in `receive` is woken."""
        with contextlib.suppress(OSError):
            self._channel.link.shutdown(socket.SHUT_RDWR)
        self._channel.close()

    def receive(self) -> Any:
        """The next object. Raises `OSError` at the end, `ChannelRefused` for what does not bear the
        proof."""
        size, seal = _HEAD.unpack(self._channel.exactly(_HEAD.size))
        if size > MOST_BYTES:
            raise ChannelRefused("more than any object has")
        data = self._channel.exactly(size)
        if not hmac.compare_digest(seal, self._seal(self._ways[1], self._received, data)):
            raise ChannelRefused("the message is not signed with the cluster's secret")
        self._received += 1
        return pickle.loads(data)

    def _seal(self, way: bytes, number: int, data: bytes) -> bytes:
        return hmac.new(self._key, b"%s %d " % (way, number) + data, hashlib.sha256).digest()
