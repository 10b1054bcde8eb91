"""What an answer of `GET /events` is made of, and what may be wrong with it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from webdyno.verifier.stamped import Stamps

_FIELD = re.compile(rb"(id|data): ?([^\r\n]*)\n")
_DATA = re.compile(rb'\{"number":([1-9][0-9]*),"tag":"([0-9]{18})","made":([0-9]{16})\}')
# A line of the format may end with CR alone, too; no framework is known to end one so.
_END = re.compile(rb"\r?\n\r?\n")
_SHOWN = 80


def ends_of(body: bytes) -> list[int]:
    """Where each event of `body` that is whole ends: how many bytes are before that."""
    return [found.end() for found in _END.finditer(body)]


def most_in_one(chunks: Sequence[bytes]) -> int:
    """Of how many events the chunk holds something that holds of the most; an event may come in
    several."""
    ends = ends_of(b"".join(chunks))
    bounds = pairwise(accumulate(map(len, chunks), initial=0))
    # Of the one that is under way where the chunk begins, and of each that one ends before.
    return max((1 + sum(start < end < stop for end in ends) for start, stop in bounds), default=0)


def problem_of(
    body: bytes,
    count: int,
    tag: str,
    *,
    after: int = 0,
    since_s: float = 0.0,
    until_s: float = math.inf,
) -> str | None:
    """What is wrong with the events `after`+1 to `count`, made between two moments (in seconds
    since 1970), each no earlier than the one before; None where they are right."""
    # Some frameworks send an empty line with the headers, at which a client knows that it is heard.
    events = body.replace(b"\r\n", b"\n").removeprefix(b"\n").split(b"\n\n")
    if events.pop():
        return f"the answer ends with {body[-_SHOWN:]!r}, not with an empty line"
    stamps = Stamps("event", since_s, until_s)
    for number, event in enumerate(events, after + 1):
        if number > count:
            return f"{len(events)} events came instead of {count - after}"
        if problem := _wrong(event + b"\n", number, tag):
            return f"event {number} {problem}"
        if problem := stamps.problem_of(number, made_s(event)[0]):
            return problem
    if len(events) != count - after:
        return f"{len(events)} events came instead of {count - after}"
    return None


def made_s(body: bytes) -> list[float]:
    """When events that are right say that they were made, in seconds since 1970."""
    return [made / 1e6 for made in made_us(body)]


def made_us(body: bytes) -> list[int]:
    """The same in microseconds, as they say it."""
    return [int(made) for _, _, made in _DATA.findall(body)]


def _wrong(event: bytes, number: int, tag: str) -> str | None:
    """What is wrong with the lines of an event; None where they are right."""
    fields = dict(_FIELD.findall(event))
    lines = event.count(b"\n")
    if set(fields) != {b"id", b"data"} or lines != 2 or _FIELD.sub(b"", event):
        return f"is {event[:_SHOWN]!r}: not an id and data, a line each"
    if fields[b"id"] != str(number).encode():
        return f"has the id {fields[b'id'][:_SHOWN]!r}"
    found = _DATA.fullmatch(fields[b"data"])
    if found is None:
        return f"has the data {fields[b'data'][:_SHOWN]!r}"
    if int(found[1]) != number:
        return f"has the number {int(found[1])} in its data"
    if found[2].decode() != tag:
        return f"has the tag {found[2].decode()} instead of {tag}"
    return None
