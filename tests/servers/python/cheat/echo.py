"""The echo by WebSocket, done honestly. The cheats override one method each."""

from __future__ import annotations

import asyncio

from frames import BINARY, CLOSE, MORE, PING, PONG, TEXT, accept_of, frame, taken
from honest import Hello
from tiny import Answer, Request


class Talk:
    """What is said on one connection."""

    transport: asyncio.Transport

    def __init__(self, echo: Echo) -> None:
        self.echo = echo
        self.pending = bytearray()
        self.parts = bytearray()
        self.kind = TEXT

    def begin(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def full(self) -> None:
        self.transport.pause_reading()

    def drained(self) -> None:
        self.transport.resume_reading()

    def ended(self) -> None:
        pass

    def came(self, data: bytes) -> None:
        self.pending += data
        while (found := taken(self.pending)) is not None:
            if found.kind == PING:
                self.pinged(found.payload)
            elif found.kind == CLOSE:
                self.closed(found.payload)
                return
            elif found.kind in (MORE, TEXT, BINARY):
                self.kind = found.kind or self.kind
                self.parts += found.payload
                self.fragment(found.last)

    def fragment(self, last: bool) -> None:
        """A frame of a message came, perhaps its last."""
        if last:
            whole = bytes(self.parts)
            self.parts.clear()
            self.message(self.kind, whole)

    def message(self, kind: int, payload: bytes) -> None:
        self.say(kind, payload)

    def pinged(self, payload: bytes) -> None:
        self.say(PONG, payload)

    def closed(self, payload: bytes) -> None:
        self.say(CLOSE, payload[:2])
        self.transport.close()

    def say(self, kind: int, payload: bytes) -> None:
        self.transport.write(frame(kind, payload))


class Echo(Hello):
    path = "/ws"
    talk: type[Talk] = Talk

    def answer(self, request: Request) -> Answer:
        if request.headers.get("upgrade", "").lower() != "websocket":
            return self.plain()
        accept = self.accept(request.headers["sec-websocket-key"])
        fields = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n"
        return Answer(b"", status=101, fields=fields, speaks=self.talk(self))

    def plain(self) -> Answer:
        return Answer("upgrade to websocket", status=426, fields="Upgrade: websocket\r\n")

    def accept(self, key: str) -> str:
        return accept_of(key)


def echo(talks: type[Talk], program: type[Echo] = Echo) -> type[Echo]:
    """A server whose connections are such talks."""
    return type(talks.__name__, (program,), {"talk": talks})


HONEST = {"websocket-echo": Echo}
