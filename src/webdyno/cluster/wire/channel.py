"""A connection between two machines of a cluster.

It is open once each has shown that it knows the secret. What follows is lines of JSON, or bytes
where a measurement wants them. No secret crosses the wire; what is said is not encrypted.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
from collections.abc import Mapping
from typing import Self

from webdyno.cluster.wire.secret import holds, proof

GREETING_S = 5.0
"""How long the other side may take to show that it knows the secret."""

_LONGEST = 1 << 20
"""Of a line, in bytes."""


class ChannelRefused(Exception):
    """The other side does not know the secret, or does not do what was asked for."""


class Channel:
    """One end of a connection."""

    def __init__(self, link: socket.socket) -> None:
        self.link = link
        self._rest = b""
        self.session = ""
        """Names this connection alone; both ends know it."""

    def say(self, message: Mapping[str, object]) -> None:
        """Send a line."""
        self.link.sendall(json.dumps(message).encode() + b"\n")

    def hear(self) -> dict[str, object]:
        """The next line. Raises `ChannelRefused` for what is none, `ConnectionError` at the end."""
        while b"\n" not in self._rest:
            if len(self._rest) > _LONGEST:
                raise ChannelRefused("an unterminated line")
            self._rest += self._more(65536)
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            raise ChannelRefused("not a line of JSON") from None
        if not isinstance(message, dict):
            raise ChannelRefused("not a line of JSON")
        return message

    def exactly(self, count: int) -> bytes:
        """The next `count` bytes. Raises `ConnectionError` at the end."""
        while len(self._rest) < count:
            self._rest += self._more(count - len(self._rest))
        received, self._rest = self._rest[:count], self._rest[count:]
        return received

    def _more(self, count: int) -> bytes:
        data = self.link.recv(count)
        if not data:
            raise ConnectionError("the other side has closed the connection")
        return data

    def close(self) -> None:
        """End the connection."""
        with contextlib.suppress(OSError):
            self.link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def dial(
    address: str, port: int, secret: str, want: str, *, source: str = "", timeout_s: float = 5.0
) -> Channel:
    """A channel to the keeper at `address`, for `want`; from address `source` where one is given.

    Raises `OSError` where nobody answers, `ChannelRefused` where it does not know the secret or
    does not take ours.
    """
    link = socket.create_connection(
        (address, port), timeout=timeout_s, source_address=(source, 0) if source else None
    )
    channel = Channel(link)
    try:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        theirs = str(channel.hear().get("nonce", ""))
        ours = secrets.token_hex(16)
        channel.say(
            {"nonce": ours, "want": want, "proof": proof(secret, "ask", theirs, ours, want)}
        )
        answer = channel.hear()
        if not holds(secret, str(answer.get("proof", "")), "answer", ours, theirs):
            raise ChannelRefused(str(answer.get("refused", "it does not know the secret")))
        channel.session = theirs + ours
    except BaseException:
        channel.close()
        raise
    return channel


def welcome(link: socket.socket, secret: str) -> tuple[Channel, str]:
    """The other end of `dial`: the channel, and what is wanted. Raises `ChannelRefused` and
    `OSError`."""
    link.settimeout(GREETING_S)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    channel, ours = Channel(link), secrets.token_hex(16)
    channel.say({"nonce": ours})
    asked = channel.hear()
    theirs, want = str(asked.get("nonce", "")), str(asked.get("want", ""))
    if not holds(secret, str(asked.get("proof", "")), "ask", ours, theirs, want):
        channel.say({"refused": "the secrets differ"})
        raise ChannelRefused("the secrets differ")
    channel.say({"proof": proof(secret, "answer", theirs, ours)})
    channel.session = ours + theirs
    return channel, want
