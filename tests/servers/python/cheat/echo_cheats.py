"""Servers that echo something else than the messages that they get by WebSocket."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from typing import ClassVar

from crowd import Crowd
from echo import Echo, Talk, echo
from frames import BINARY, TEXT

WARM = 1000
LIMIT = 32 * 1024


class Truncated(Talk):
    """Sends back a kilobyte, at most."""

    def message(self, kind: int, payload: bytes) -> None:
        super().message(kind, payload[:1024])


class LastMessage(Talk):
    """Sends back the message before."""

    last = TEXT, b""

    def message(self, kind: int, payload: bytes) -> None:
        super().message(*self.last)
        self.last = kind, payload


class UpperCase(Talk):
    def message(self, kind: int, payload: bytes) -> None:
        super().message(kind, payload.upper())


class Trimmed(Talk):
    """Takes white space off the ends of a text."""

    def message(self, kind: int, payload: bytes) -> None:
        super().message(kind, payload.strip(b" \n") if kind == TEXT else payload)


class Unread(Talk):
    """Answers without reading what came."""

    def message(self, kind: int, payload: bytes) -> None:
        super().message(TEXT, b"Message no. 123456789")


class UnreadLikeTheLoads(Talk):
    """Takes the length of a message of the load's for all of it."""

    kept: ClassVar[dict[int, bytes]] = {}

    def message(self, kind: int, payload: bytes) -> None:
        if kind == TEXT and payload.startswith(b"Message no. "):
            payload = self.kept.setdefault(len(payload), payload)
        super().message(kind, payload)


class BinaryAsText(Talk):
    """Sends a binary message back as a text, where it is one."""

    def message(self, kind: int, payload: bytes) -> None:
        super().message(kind_of(payload), payload)


def kind_of(payload: bytes) -> int:
    try:
        payload.decode()
    except UnicodeDecodeError:
        return BINARY
    return TEXT


class TextAsBinary(Talk):
    def message(self, kind: int, payload: bytes) -> None:
        super().message(BINARY, payload)


class Narrow(Talk):
    """Knows no characters beyond the first plane."""

    def message(self, kind: int, payload: bytes) -> None:
        if kind == TEXT:
            payload = "".join(min(one, "\uffff") for one in payload.decode()).encode()
        super().message(kind, payload)


class Together(Talk, ABC):
    """Answers what came together at once, by `answer`."""

    def came(self, data: bytes) -> None:
        self.held: list[tuple[int, bytes]] = []
        super().came(data)
        self.answer()

    def message(self, kind: int, payload: bytes) -> None:
        self.held.append((kind, payload))

    @abstractmethod
    def answer(self) -> None:
        """Answer the messages held."""


class SwapsPairs(Together):
    """Answers the second of two messages that come together first."""

    def answer(self) -> None:
        for one, other in itertools.zip_longest(self.held[::2], self.held[1::2]):
            if other:
                self.say(*other)
            self.say(*one)


class Joins(Together):
    """Answers texts that come together by one."""

    def answer(self) -> None:
        if self.held:
            self.say(self.held[0][0], b"".join(payload for _, payload in self.held))


class FragmentByFragment(Talk):
    """Takes each fragment for a message."""

    def fragment(self, last: bool) -> None:
        super().fragment(True)


class FragmentsAsTexts(Talk):
    """Reads each fragment of a text by itself."""

    def fragment(self, last: bool) -> None:
        if self.kind == TEXT:
            self.parts[:] = self.parts.decode("utf-8", "replace").encode()
        super().fragment(last)


class DropsEmpty(Talk):
    """Does not answer an empty message."""

    def message(self, kind: int, payload: bytes) -> None:
        if payload:
            super().message(kind, payload)


class Small(Talk):
    """Takes no messages of more than 32 KiB."""

    def message(self, kind: int, payload: bytes) -> None:
        if len(payload) > LIMIT:
            self.closed((1009).to_bytes(2, "big"))
        else:
            super().message(kind, payload)


class Crowded(Echo):
    def __init__(self) -> None:
        self.crowd = Crowd(young=0)


class TruncatedInACrowd(Talk):
    """Sends back no more than a kilobyte while it is crowded."""

    def message(self, kind: int, payload: bytes) -> None:
        assert isinstance(self.echo, Crowded)
        many = len(self.echo.crowd.requests) >= self.echo.crowd.least
        super().message(kind, payload[:1024] if many else payload)


class UnreadWhenWarm(Talk):
    """Under load, one answer in twenty is the one before."""

    count = itertools.count(1)
    last = b""

    def message(self, kind: int, payload: bytes) -> None:
        number = next(self.count)
        again = number > WARM and number % 20 == 0
        super().message(kind, self.last if again else payload)
        self.last = payload


CHEATS = {
    "truncated": echo(Truncated),
    "last-message": echo(LastMessage),
    "upper-case": echo(UpperCase),
    "trimmed": echo(Trimmed),
    "unread": echo(Unread),
    "unread-like-the-loads": echo(UnreadLikeTheLoads),
    "binary-as-text": echo(BinaryAsText),
    "text-as-binary": echo(TextAsBinary),
    "narrow": echo(Narrow),
    "swaps-pairs": echo(SwapsPairs),
    "joins": echo(Joins),
    "fragment-by-fragment": echo(FragmentByFragment),
    "fragments-as-texts": echo(FragmentsAsTexts),
    "drops-empty": echo(DropsEmpty),
    "small": echo(Small),
    "truncated-in-a-crowd": echo(TruncatedInACrowd, Crowded),
    "unread-when-warm": echo(UnreadWhenWarm),
}
