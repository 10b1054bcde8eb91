"""A small HTTP/1.1 server on asyncio, for the test servers: bodies read whole, keep-alive,
pipelining."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple, Protocol
from urllib.parse import parse_qs, urlsplit


class Speaks(Protocol):
    """What a connection speaks after its upgrade."""

    def begin(self, transport: asyncio.Transport) -> None:
        """The upgrade was answered."""

    def came(self, data: bytes) -> None:
        """The client sent `data`."""

    def full(self) -> None:
        """The client does not read what was sent: no more is to be sent for now."""

    def drained(self) -> None:
        """It has read on."""

    def ended(self) -> None:
        """The connection is gone."""


class Request(NamedTuple):
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    number: int  # counted over the whole server, from 1
    connection: int  # which connection it came on, from 1
    method: str = "GET"
    body: bytes = b""
    joined: bool = True  # whether some of the body came together with the head


class Answer(NamedTuple):
    body: bytes | str
    media: str = "text/plain; charset=utf-8"
    status: int = 200
    cookie: str = ""  # the value of a Set-Cookie line
    kept: bool = False  # says that it comes from a cache
    pieces: Iterator[bytes] | None = None  # sent in chunks, instead of the body
    waits: bool = True  # with the next piece until the client has read
    gap_s: float = 0.0  # between a piece and the next
    gathered: int = 1  # pieces that go out together, as one chunk
    fields: str = ""  # further lines of the head, each with its end
    speaks: Speaks | None = None  # what takes the connection over, after status 101


DROP = Answer(b"", status=0)  # close the connection instead of answering
HANG = Answer(b"", status=-1)  # never answer

REASONS = {
    101: "Switching Protocols",
    200: "OK",
    204: "No Content",
    400: "Bad Request",
    404: "Not Found",
    426: "Upgrade Required",
    500: "Internal Server Error",
}
NOT_FOUND = Answer("not found", status=404)

Handler = Callable[[Request], "Answer | Awaitable[Answer]"]

See = Callable[[str, int, bytes], None]
"""Told of what happens on a connection (`open`, `request`, `close`), its number, the raw head."""

witnesses: list[See] = []

_numbers = itertools.count(1)
_connections = itertools.count(1)


class Connection(asyncio.Protocol):
    transport: asyncio.Transport
    late: asyncio.Future[None]
    speaks: Speaks | None = None

    def __init__(self, handler: Handler) -> None:
        self.handler = handler
        self.pending = bytearray()
        self.number = next(_connections)
        self.writable = asyncio.Event()
        self.writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.see("open")

    def connection_lost(self, _: Exception | None) -> None:
        self.see("close")
        self.writable.set()
        if self.speaks is not None:
            self.speaks.ended()

    def pause_writing(self) -> None:
        self.writable.clear()
        if self.speaks is not None:
            self.speaks.full()

    def resume_writing(self) -> None:
        self.writable.set()
        if self.speaks is not None:
            self.speaks.drained()

    def see(self, event: str, head: bytes = b"") -> None:
        for witness in witnesses:
            witness(event, self.number, head)

    def data_received(self, data: bytes) -> None:
        if self.speaks is not None:
            self.speaks.came(data)
            return
        # A head that has come before all of this has come alone.
        alone = self.pending.endswith(b"\r\n\r\n")
        self.pending += data
        while (end := self.pending.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.pending[:end])
            first, *lines = head.decode("latin-1").split("\r\n")
            pairs = (line.partition(":") for line in lines)
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            found = body_of(self.pending, end + 4, headers)
            if found is None:
                return
            body, after = found
            del self.pending[:after]
            self.see("request", head)
            method, raw, _ = first.split(" ")
            target = urlsplit(raw)
            query = parse_qs(target.query, keep_blank_values=True)
            request = Request(
                target.path, query, headers, next(_numbers), self.number, method, body, not alone
            )
            answer = self.handler(request)
            if not isinstance(answer, Answer):
                self.late = asyncio.ensure_future(self.send_later(answer))
            elif not self.send(answer) or self.speaks is not None:
                return
            if headers.get("connection", "").lower() == "close":
                self.transport.close()

    async def send_later(self, answer: Awaitable[Answer]) -> None:
        self.send(await answer)

    def send(self, answer: Answer) -> bool:
        if answer.status == DROP.status:
            self.transport.close()
            return False
        if answer.status == HANG.status:
            return False
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        head = (
            f"HTTP/1.1 {answer.status} {REASONS[answer.status]}\r\nContent-Type: {answer.media}\r\n"
        )
        if answer.cookie:
            head += f"Set-Cookie: {answer.cookie}\r\n"
        if answer.kept:
            head += "X-Cache: HIT\r\n"
        head += answer.fields
        if answer.speaks is not None:
            self.transport.write(f"{head}\r\n".encode())
            self.speaks = answer.speaks
            self.speaks.begin(self.transport)
            if self.pending:
                self.speaks.came(bytes(self.pending))
        elif answer.pieces is not None:
            self.transport.write(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
            self.late = asyncio.ensure_future(self.send_pieces(answer.pieces, answer))
        else:
            self.transport.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return True

    async def send_pieces(self, pieces: Iterator[bytes], answer: Answer) -> None:
        held: list[bytes] = []
        for number, piece in enumerate(pieces):
            if answer.waits:
                await self.writable.wait()
            if number % 16 == 15:
                await asyncio.sleep(0)  # Others want their turn.
            if self.transport.is_closing():
                return
            held.append(piece)
            if len(held) == answer.gathered:
                self.send_chunk(held)
            if answer.gap_s:
                await asyncio.sleep(answer.gap_s)
        if held:
            self.send_chunk(held)
        self.transport.write(b"0\r\n\r\n")

    def send_chunk(self, held: list[bytes]) -> None:
        chunk = b"".join(held)
        held.clear()
        self.transport.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))


def body_of(came: bytearray, at: int, headers: dict[str, str]) -> tuple[bytes, int] | None:
    """The body that begins at `at` of what came, and where it ends; None while it is not whole."""
    if "chunked" not in headers.get("transfer-encoding", "").lower():
        end = at + int(headers.get("content-length", "0"))
        return (bytes(came[at:end]), end) if end <= len(came) else None
    body = bytearray()
    while (line := came.find(b"\r\n", at)) >= 0:
        size = int(came[at:line].partition(b";")[0], 16)
        at = line + 2 + size + 2
        if at > len(came):
            return None
        if size == 0:
            return bytes(body), at
        body += came[line + 2 : at - 2]
    return None


async def _serve(handler: Handler, port: int) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    # A cheat may have one of its own.
    connection = getattr(handler, "connection", Connection)
    server = await loop.create_server(lambda: connection(handler), "127.0.0.1", port)
    await ended.wait()
    server.close()


def serve(handler: Handler) -> None:
    """Serve on 127.0.0.1:$PORT until SIGTERM."""
    asyncio.run(_serve(handler, int(os.environ["PORT"])))
