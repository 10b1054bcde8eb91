"""`GET /ws` upgrades to WebSocket and echoes each message; scenario.toml holds the contract.

Whether a message comes back unchanged is a check of every answer of the load. What the load does
not send is sent here: all lengths and types, fragments, pings, many messages and connections at
once, and more than a server may hold for a client that does not read. Each connection first sends
messages like the load's, so that it is no younger than many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial

from wsproto.events import CloseConnection, Event, Ping, TextMessage

from webdyno.verifier import Breakdown, Probe, Sample, Verifier, beside
from webdyno.verifier.websocket import NotUpgraded, TextFragment, Unspoken, WebSocket

_messages = beside(__file__, "messages")
Sent, event_of, shown = _messages.Sent, _messages.event_of, _messages.shown
# Each tells what is wrong, or None.
differs, spoken, pinged = _messages.differs, _messages.spoken, _messages.pinged
echoed, all_echoed = _messages.echoed, _messages.all_echoed
_unread = beside(__file__, "unread")

PATH = "/ws"
LONGEST = _messages.LONGEST
# Around the ends of what a frame's length is written in, and of buffers that programs read into.
LENGTHS = (0, 1, 124, 125, 126, 127, 1024, 4096, 16_384, 32_768, 32_769, 65_535, LONGEST)
TEXTS = (
    " ",
    "\n",
    "\0",
    " two spaces  ",
    "null",
    '{"a": 1, "a": 2}',
    "GET / HTTP/1.1\r\n\r\n",
    "naïve ☃ 𝄞 \u0301e \ufeff\ufffd",
    "ß" * (LONGEST // 2),
)
LETTERS = "abcXYZ 019äß€\N{MUSICAL SYMBOL G CLEF}\n\t\0"
# Messages like the load's that a connection begins with.
EARLIER = 8
# Messages that are sent at once, and how long they are at most: so that all of them find room.
AT_ONCE, AT_ONCE_LETTERS = 60, 300
CONNECTIONS, ROUNDS = 24, 3
# In the midst of load, where there are others.
BESIDE_LOAD = 8
NORMAL = 1000


class Scenario(Verifier):
    in_a_crowd = True
    held_at_once = BESIDE_LOAD

    def verify(self, probe: Probe) -> None:
        if self.phase == "before":
            self._plain(probe)
            self._upgrades(probe)
            self._lengths(probe)
        with ExitStack() as stack:
            # Open all the while, so that no part of the second proof is made in a smaller crowd.
            others = self._others(stack, probe) if self.phase == "after" else ()
            self._texts(probe)
            self._fragments(probe)
            self._pings(probe)
            self._at_once(probe)
            self._connections(probe, others)
            self._closes(probe)
        if self.phase == "before":
            self._expect(_unread.CLAIM, partial(_unread.wrong_with, self.random), probe)
            self._left(probe)
        self.expect_not_found(probe, f"/ws-{self.token()}")

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)

        def problem(sample: Sample) -> str | None:
            sent = f"Message no. {sample.variables['number']}"
            return None if sample.body == sent.encode() else differs(sent, sample.body)

        self.expect_each(
            f"{len(samples)} answers of the load are the message that was sent",
            map(problem, samples),
        )

    def _connect(self, probe: Probe, path: str = PATH) -> WebSocket:
        key = self.random.randbytes(16)
        return WebSocket(probe.base_url, path, key=key, timeout=probe.longest_s)

    def _expect(self, claim: str, problem: Callable[[WebSocket], str | None], probe: Probe) -> None:
        """Record `claim`, on a connection of its own; it holds where that finds no problem."""

        def found() -> str | None:
            with self._connect(probe) as socket:
                for _ in range(EARLIER):
                    like = f"Message no. {self.random.randint(0, 999_999_999)}"
                    if wrong := echoed(socket, like):
                        return wrong
                return problem(socket)

        self.expect_each(claim, [spoken(found)])

    def _plain(self, probe: Probe) -> None:
        status = probe.get(PATH).status_code
        self.expect(
            "a GET without an upgrade is answered 4xx",
            400 <= status < 500,
            f"answered {status}",
        )

    def _upgrades(self, probe: Probe) -> None:
        def granted() -> str | None:
            self._connect(probe).close()
            return None

        self.expect_each(
            "an upgrade is answered 101, with its key's accept value and only what was offered",
            (spoken(granted) for _ in range(4)),
        )

        def elsewhere() -> str | None:
            try:
                self._connect(probe, f"/ws-{self.token()}").close()
            except NotUpgraded:
                return None
            except Unspoken as wrong:
                return f"answered 101, though {wrong}"
            except Breakdown as closed:
                # Some frameworks close the connection instead: it is not upgraded, either.
                if "was not answered" not in str(closed):
                    raise
                return None
            return "answered 101"

        self.expect_each("an upgrade of an unknown path is refused", [elsewhere()])

    def _lengths(self, probe: Probe) -> None:
        def problem(socket: WebSocket) -> str | None:
            for length in LENGTHS:
                text = "".join(self.random.choices("abcdefgh0123456789", k=length))
                # The last one comes first where one of the others is not answered.
                if wrong := all_echoed(socket, [text, self._bytes(length), "and on"]):
                    return f"{length} bytes: {wrong}"
            return None

        lengths = ", ".join(map(str, LENGTHS))
        self._expect(f"texts and binary messages of {lengths} bytes come back", problem, probe)

    def _texts(self, probe: Probe) -> None:
        def problem(socket: WebSocket) -> str | None:
            for text in TEXTS:
                # The same bytes as a binary message are a binary message.
                if wrong := echoed(socket, text) or echoed(socket, text.encode()):
                    return wrong
            return echoed(socket, bytes(range(256)))

        self._expect("messages come back unchanged, with the same type", problem, probe)

    def _fragments(self, probe: Probe) -> None:
        def problem(socket: WebSocket) -> str | None:
            for message in ("", self._text(5), self._text(9000), self._bytes(LONGEST)):
                for pieces in (2, 7):
                    socket.send(*self._in_pieces(message, pieces))
                    if wrong := differs(message, socket.receive()):
                        return f"in {pieces} fragments: {wrong}"
            return None

        self._expect("a message in fragments comes back as one", problem, probe)

    def _pings(self, probe: Probe) -> None:
        def problem(socket: WebSocket) -> str | None:
            for payload in (b"", self._bytes(125)):
                messages = [self._text(40), self._text(40), self._text(40)]
                first, *rest = self._in_pieces(messages[0], 3)
                next_ones = [event_of(message) for message in messages[1:]]
                for pinging in (Ping(payload), first, *rest), (first, Ping(payload), *rest):
                    if wrong := pinged(socket, payload, [*pinging, *next_ones], messages):
                        return wrong
            return None

        self._expect("a ping is answered by its pong, also between fragments", problem, probe)

    def _at_once(self, probe: Probe) -> None:
        def problem(socket: WebSocket) -> str | None:
            messages = [self._message() for _ in range(AT_ONCE)]
            return all_echoed(socket, messages)

        claim = f"{AT_ONCE} messages that come at once are answered in order"
        self._expect(claim, problem, probe)

    def _others(self, stack: ExitStack, probe: Probe) -> Sequence[WebSocket]:
        """All but one of `BESIDE_LOAD` connections, for as long as the stack holds them."""
        others: list[WebSocket] = []

        def problem() -> str | None:
            others.extend(stack.enter_context(self._connect(probe)) for _ in range(BESIDE_LOAD - 1))
            return None

        self.expect_each(f"{BESIDE_LOAD - 1} connections are upgraded", [spoken(problem)])
        return others

    def _connections(self, probe: Probe, others: Sequence[WebSocket]) -> None:
        size = BESIDE_LOAD if others else CONNECTIONS

        def problem() -> str | None:
            with ExitStack() as stack:
                more = range(size - len(others))
                sockets = [*others, *(stack.enter_context(self._connect(probe)) for _ in more)]
                for _ in range(ROUNDS):
                    messages = [[self._message() for _ in range(3)] for _ in sockets]
                    for place in range(3):
                        for socket, sent in zip(sockets, messages, strict=True):
                            socket.send(event_of(sent[place]))
                    for number, (socket, sent) in enumerate(zip(sockets, messages, strict=True)):
                        for message in sent:
                            if wrong := differs(message, socket.receive()):
                                return f"connection {number}: {wrong}"
            return None

        self.expect_each(
            f"{size} connections at once get their own messages, and no others",
            [spoken(problem)],
        )

    def _closes(self, probe: Probe) -> None:
        def problem(socket: WebSocket) -> str | None:
            socket.send(CloseConnection(code=NORMAL))
            try:
                came = socket.receive()
            except Breakdown as silent:
                return f"a close was not answered: {silent}"
            if not isinstance(came, CloseConnection):
                return f"{shown(came)} came instead of a close"
            if came.code != NORMAL:
                return f"a close of {NORMAL} was answered by one of {int(came.code)}"
            try:
                after = socket.receive()
            except Breakdown:
                return "the connection is still there after the close"
            return None if after is None else f"{shown(after)} came after the close"

        self._expect("a close is answered by a close, and ends the connection", problem, probe)

    def _left(self, probe: Probe) -> None:
        """A client that leaves is no matter for the next."""

        def problem() -> str | None:
            for _ in range(4):
                with self._connect(probe) as socket:
                    socket.send(TextMessage("half of a ", message_finished=False))
            with self._connect(probe) as socket:
                return echoed(socket, self._text(20))

        self.expect_each(
            "after clients that left in the middle of a message, the next client gets its own",
            [spoken(problem)],
        )

    def _text(self, letters: int) -> str:
        return "".join(self.random.choices(LETTERS, k=letters))

    def _bytes(self, length: int) -> bytes:
        return self.random.randbytes(length)

    def _message(self) -> Sent:
        """A message of any type, with a token that no other has."""
        letters = self.random.randint(0, AT_ONCE_LETTERS)
        text = self.token(16) + self._text(letters)
        return text if self.random.random() < 0.5 else text.encode()

    def _in_pieces(self, message: Sent, pieces: int) -> Iterator[Event]:
        """A message as so many fragments, some of them empty; of a text, one at least is cut within
        a character, if it has any of several bytes."""
        data = message.encode() if isinstance(message, str) else message
        cuts = [self.random.randint(0, len(data)) for _ in range(pieces - 1)]
        if isinstance(message, str):
            within = [place for place, byte in enumerate(data) if byte & 0xC0 == 0x80]
            cuts[:1] = self.random.sample(within, min(1, len(within))) or cuts[:1]
        cuts.sort()
        for number, (start, end) in enumerate(zip([0, *cuts], [*cuts, None], strict=True)):
            piece, last = data[start:end], end is None
            if isinstance(message, str):
                yield TextFragment(piece, first=number == 0, last=last)
            else:
                yield event_of(piece, finished=last)
