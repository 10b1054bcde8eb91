"""Servers that gather events, or send other ones than `GET /events` asks for."""

from __future__ import annotations

from collections.abc import Iterator

from crowd import Crowd
from pushed import Asked, Events
from stream_cheats import other_tag
from tiny import Answer, Request, witnesses

WARM = 1000
OLD = 40
"""Requests of a connection until then."""


class Gathers(Events):
    """Sends all events together, at the end."""

    def pushed(self, asked: Asked) -> Answer:
        return super().pushed(asked)._replace(gathered=asked.n)


class GathersPairs(Events):
    """Sends two events at a time."""

    def pushed(self, asked: Asked) -> Answer:
        return super().pushed(asked)._replace(gathered=2)


class GathersUnlessAsked(Events):
    """Gathers events where no gap is between them."""

    def pushed(self, asked: Asked) -> Answer:
        return super().pushed(asked)._replace(gathered=1 if asked.gap_ms else 8)


class GathersInACrowd(Events):
    """Gathers events while it is crowded."""

    def __init__(self) -> None:
        self.crowd = Crowd()

    def pushed(self, asked: Asked) -> Answer:
        return super().pushed(asked)._replace(gathered=8 if self.crowd else 1)


class GathersWhenOld(GathersInACrowd):
    """The same, on connections that have asked often."""

    def __init__(self) -> None:
        self.crowd = Crowd(young=OLD)


class GathersForACrowd(Events):
    """Gathers events on connections that came to many others."""

    def __init__(self) -> None:
        self.open: set[int] = set()
        self.of_a_crowd: set[int] = set()
        witnesses.append(self.see)

    def see(self, event: str, connection: int, _head: bytes) -> None:
        if event == "close":
            self.open.discard(connection)
        elif event == "open":
            self.open.add(connection)
            if len(self.open) >= 8:
                self.of_a_crowd.add(connection)

    def answer(self, request: Request) -> Answer:
        gathered = 8 if request.connection in self.of_a_crowd else 1
        return super().answer(request)._replace(gathered=gathered)


class WithoutGap(Events):
    """Sends event upon event."""

    def pushed(self, asked: Asked) -> Answer:
        return super().pushed(asked)._replace(gap_s=0.0)


class MadeAhead(Events):
    """Makes all events at once, and sends them with the gap between them."""

    def events(self, asked: Asked) -> Iterator[bytes]:
        return iter([*super().events(asked)])


class StampedOnce(Events):
    """Reads the clock once for all events of an answer, unless there is a gap between them."""

    def events(self, asked: Asked) -> Iterator[bytes]:
        if asked.gap_ms:
            return super().events(asked)
        now = self.now()
        numbers = range(asked.after + 1, asked.n + 1)
        return (self.event(number, asked.tag, now) for number in numbers)


class WithLength(Events):
    """Sends the events in one, with their length."""

    def pushed(self, asked: Asked) -> Answer:
        pushed = super().pushed(asked)
        return pushed._replace(body=b"".join(self.events(asked)), pieces=None)


class Cacheable(Events):
    """Does not say that no cache may keep it."""

    def pushed(self, asked: Asked) -> Answer:
        return super().pushed(asked)._replace(fields="")


class PlainText(Events):
    def pushed(self, asked: Asked) -> Answer:
        return super().pushed(asked)._replace(media="text/plain")


class Kept(Events):
    """Keeps the events of the first answer of each length."""

    def __init__(self) -> None:
        self.kept: dict[tuple[int, int], list[bytes]] = {}

    def events(self, asked: Asked) -> Iterator[bytes]:
        key = asked.n, asked.after
        return iter(self.kept.setdefault(key, [*super().events(asked)]))


class KeptWithTag(Kept):
    """Keeps events, and puts the tag of each client into them."""

    def events(self, asked: Asked) -> Iterator[bytes]:
        for event in super().events(asked):
            head, _, rest = event.partition(b'"tag":"')
            yield head + b'"tag":"' + asked.tag.encode() + rest[18:]


class KeptByTag(Events):
    """Keeps the events of each tag, to send them again to whoever brings it."""

    def __init__(self) -> None:
        self.kept: dict[tuple[int, int, str], list[bytes]] = {}

    def events(self, asked: Asked) -> Iterator[bytes]:
        if asked.gap_ms:
            return super().events(asked)
        key = asked.n, asked.after, asked.tag
        return iter(self.kept.setdefault(key, [*super().events(asked)]))


class OfAnother(Events):
    """Sends all clients the events of the last one that came."""

    last = ""

    def pushed(self, asked: Asked) -> Answer:
        self.last = asked.tag
        return super().pushed(asked)

    def event(self, number: int, tag: str, now: float) -> bytes:
        return super().event(number, self.last, now)


class IdsFromZero(Events):
    def event(self, number: int, tag: str, now: float) -> bytes:
        return super().event(number, tag, now).replace(b"id: %d" % number, b"id: %d" % (number - 1))


class WithoutIds(Events):
    def event(self, number: int, tag: str, now: float) -> bytes:
        return super().event(number, tag, now).partition(b"\n")[2]


class WithComments(Events):
    def event(self, number: int, tag: str, now: float) -> bytes:
        return b": here you are\n" + super().event(number, tag, now)


class IgnoresLastId(Events):
    """Begins with the first event each time."""

    def asked(self, request: Request) -> Asked | None:
        asked = super().asked(request)
        return asked and asked._replace(after=0)


class RepeatsLastId(Events):
    """Begins with the event that the client has."""

    def events(self, asked: Asked) -> Iterator[bytes]:
        return super().events(asked._replace(after=max(0, asked.after - 1)))


class NumbersAnew(Events):
    """Numbers the events from 1 where it continues."""

    def events(self, asked: Asked) -> Iterator[bytes]:
        return super().events(asked._replace(after=0, n=asked.n - asked.after))


class EmptyAtTheEnd(Events):
    """Answers 200, without events, where none is left."""

    def answer(self, request: Request) -> Answer:
        answer = super().answer(request)
        return answer._replace(status=200) if answer.status == 204 else answer


class NoEmptyLine(Events):
    """Ends the last event with its answer."""

    def events(self, asked: Asked) -> Iterator[bytes]:
        *events, last = super().events(asked)
        return iter([*events, last[:-1]])


class StampedAhead(Events):
    """Says that its events are made later than they are."""

    def now(self) -> float:
        return super().now() + 1.0


class AnyNumber(Events):
    """Takes what is no number for one."""

    def asked(self, request: Request) -> Asked | None:
        tag = request.query.get("tag", [""])[0]
        return super().asked(request) or Asked(1, tag, 0, 0, request.number)


class EmptyGap(Events):
    """Takes an empty gap for none."""

    def asked(self, request: Request) -> Asked | None:
        if request.query.get("gap") == [""]:
            del request.query["gap"]
        return super().asked(request)


class OtherDataWhenWarm(Events):
    """Under load, one answer in twenty has an event that was made for nobody."""

    def events(self, asked: Asked) -> Iterator[bytes]:
        other = asked.number > WARM and asked.number % 20 == 0
        for place, event in enumerate(super().events(asked)):
            if other and place == 7:
                event = event.replace(asked.tag.encode(), other_tag().encode())
            yield event


class ShortWhenWarm(Events):
    """Under load, one answer in twenty lacks an event."""

    def events(self, asked: Asked) -> Iterator[bytes]:
        short = asked.number > WARM and asked.number % 20 == 0
        return super().events(asked._replace(n=asked.n - 1) if short else asked)


class RepeatsWhenWarm(Events):
    """Under load, gives the events of each answer twice."""

    last: tuple[bytes, ...] = ()

    def events(self, asked: Asked) -> Iterator[bytes]:
        if asked.number <= WARM:
            return super().events(asked)
        if asked.number % 2 or len(self.last) != asked.n:
            self.last = (*super().events(asked),)
        return iter(self.last)


CHEATS = {
    "gathers": Gathers,
    "gathers-pairs": GathersPairs,
    "gathers-unless-asked": GathersUnlessAsked,
    "gathers-in-a-crowd": GathersInACrowd,
    "gathers-when-old": GathersWhenOld,
    "gathers-for-a-crowd": GathersForACrowd,
    "without-gap": WithoutGap,
    "made-ahead": MadeAhead,
    "stamped-once": StampedOnce,
    "with-length": WithLength,
    "cacheable": Cacheable,
    "plain-text": PlainText,
    "kept": Kept,
    "kept-with-tag": KeptWithTag,
    "kept-by-tag": KeptByTag,
    "of-another": OfAnother,
    "ids-from-zero": IdsFromZero,
    "without-ids": WithoutIds,
    "with-comments": WithComments,
    "ignores-last-id": IgnoresLastId,
    "repeats-last-id": RepeatsLastId,
    "numbers-anew": NumbersAnew,
    "empty-at-the-end": EmptyAtTheEnd,
    "no-empty-line": NoEmptyLine,
    "stamped-ahead": StampedAhead,
    "any-number": AnyNumber,
    "empty-gap": EmptyGap,
    "other-data-when-warm": OtherDataWhenWarm,
    "short-when-warm": ShortWhenWarm,
    "repeats-when-warm": RepeatsWhenWarm,
}
