"""Servers that do less, or other, work than `GET /json` asks for."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable
from typing import Any

from crowd import Crowd
from honest import Json, Numbers
from tiny import DROP, HANG, Answer, Request

WARM = 1000
"""Answers after which a server that cheats under load begins to."""


class Constant(Numbers):
    """Every answer the same."""

    def object(self, request: Request) -> Json:
        return {f"Test Number {i}": 37 * i for i in range(1, 11)}


class ConstantWhenWarm(Numbers):
    """Honest while it is verified, constant under load."""

    def object(self, request: Request) -> Json:
        if request.number > WARM:
            return Constant.object(self, request)  # type: ignore[arg-type]
        return super().object(request)


class ConstantBetween(Numbers):
    """Constant under load only: honest again for the verification after it."""

    def object(self, request: Request) -> Json:
        # The trial's own connections are few and come first, the load's are tens.
        if request.number > WARM and request.connection > 8:
            return Constant.object(self, request)  # type: ignore[arg-type]
        return super().object(request)


class Pool(Numbers):
    """Draws from a thousand answers made at start."""

    def __init__(self) -> None:
        self.pool = [Numbers.object(self, None) for _ in range(1000)]  # type: ignore[arg-type]

    def object(self, request: Request) -> Json:
        return random.choice(self.pool)


class LargePool(Numbers):
    """Draws from 200,000 answers once it is warm. Among the 200 that are verified before, two would
    be alike in one run of ten."""

    def object(self, request: Request) -> Json:
        if request.number <= WARM:
            return super().object(request)
        draw = random.Random(random.randrange(200_000))
        return {f"Test Number {i}": draw.randint(0, 1000) for i in range(1, 11)}


class Twice(Numbers):
    """Gives each answer twice."""

    def __init__(self) -> None:
        self.last: Json | None = None

    def object(self, request: Request) -> Json:
        if request.number <= WARM:
            return super().object(request)
        made, self.last = self.last, None
        if made is None:
            made = self.last = super().object(request)
        return made


class Rotations(Numbers):
    """Draws once for ten answers, and turns the numbers round by one for each."""

    def __init__(self) -> None:
        self.drawn: list[int] = []
        self.turns = 0

    def object(self, request: Request) -> Json:
        if request.number <= WARM:
            return super().object(request)
        if self.turns % 10 == 0:
            self.drawn = [random.randint(0, 1000) for _ in range(10)]
        self.turns += 1
        self.drawn = self.drawn[1:] + self.drawn[:1]
        return {f"Test Number {i}": value for i, value in enumerate(self.drawn, start=1)}


class SameSeed(Numbers):
    """Each connection's worker was forked with the same state of its generator."""

    def __init__(self) -> None:
        self.generators: dict[int, random.Random] = {}

    def object(self, request: Request) -> Json:
        draw = self.generators.setdefault(request.connection, random.Random(1))
        return {f"Test Number {i}": draw.randint(0, 1000) for i in range(1, 11)}


class Counter(Numbers):
    """Counts up instead of drawing."""

    count = 0

    def object(self, request: Request) -> Json:
        self.count += 10
        return {f"Test Number {i}": (self.count + i) % 1001 for i in range(1, 11)}


class HalfDrawn(Numbers):
    """Five draws an answer; the other five numbers are derived from them."""

    def object(self, request: Request) -> Json:
        drawn = [random.randint(0, 1000) for _ in range(5)]
        values = [*drawn, *((value + 97) % 1001 for value in drawn)]
        return {f"Test Number {i}": value for i, value in enumerate(values, start=1)}


class HalfFromATable(Numbers):
    """Draws five of the ten; each of the others is what a table has for one of them."""

    def __init__(self) -> None:
        self.table = random.sample(range(1001), 1001)

    def object(self, request: Request) -> Json:
        drawn = [random.randint(0, 1000) for _ in range(5)]
        values = [*drawn, *(self.table[value] for value in drawn)]
        return {f"Test Number {i}": value for i, value in enumerate(values, 1)}


class Halves(Numbers):
    """Once it is warm, draws and serialises halves of answers, and puts each of one kind together
    with each of the other: a hundred answers of twenty halves, no two of which are alike."""

    apart = 400
    """Blocks under way at a time: halves come again after so many answers of other blocks."""
    each = 10

    def __init__(self) -> None:
        self.blocks: dict[int, tuple[list[str], list[str]]] = {}
        self.given = 0

    def answer(self, request: Request) -> Answer:
        if request.number <= WARM:
            return super().answer(request)
        turn, block = divmod(self.given, self.apart)
        self.given += 1
        place = turn % self.each**2
        if place == 0:
            self.blocks[block] = self.drawn()
        first, second = divmod(place, self.each)
        one, other = self.blocks[block]
        return Answer(f"{{{one[first]}, {other[second]}}}", "application/json")

    def drawn(self) -> tuple[list[str], list[str]]:
        return [self.half(1) for _ in range(self.each)], [self.half(6) for _ in range(self.each)]

    def half(self, first: int) -> str:
        numbers = {f"Test Number {i}": random.randint(0, 1000) for i in range(first, first + 5)}
        return json.dumps(numbers)[1:-1]


class SumsOfFour(Numbers):
    """Draws four of the ten; the others are sums of these."""

    def object(self, request: Request) -> Json:
        a, b, c, d = (random.randint(0, 1000) for _ in range(4))
        sums = (a + b, b + 2 * c, c + d, a + c + d, b + 3 * d, a + 2 * b + c)
        values = [a, b, c, d, *(total % 1001 for total in sums)]
        return {f"Test Number {i}": value for i, value in enumerate(values, 1)}


class BitsOfFour(Numbers):
    """Draws four of the ten; the others are these, or two of them with the bits that differ."""

    def object(self, request: Request) -> Json:
        while True:
            a, b, c, d = (random.randint(0, 1000) for _ in range(4))
            values = [a, b, c, d, a ^ b, b ^ c, c ^ d, a ^ c ^ d, b ^ d, a ^ b ^ c]
            if max(values) <= 1000:
                return {f"Test Number {i}": value for i, value in enumerate(values, 1)}


class Narrow(Numbers):
    """Numbers of 0..255 only."""

    def object(self, request: Request) -> Json:
        return {f"Test Number {i}": random.randint(0, 255) for i in range(1, 11)}


class WithoutThousand(Numbers):
    """0..999: the end of the range is never drawn."""

    def object(self, request: Request) -> Json:
        return {f"Test Number {i}": random.randrange(1000) for i in range(1, 11)}


class OutOfRange(Numbers):
    """0..1050: a value too large in every third answer or so."""

    def object(self, request: Request) -> Json:
        return {f"Test Number {i}": random.randint(0, 1050) for i in range(1, 11)}


class Text(Numbers):
    """Numbers as strings."""

    def object(self, request: Request) -> Json:
        return {key: str(value) for key, value in super().object(request).items()}


class NineKeys(Numbers):
    """A key too few."""

    def object(self, request: Request) -> Json:
        return dict(list(super().object(request).items())[:9])


class KeyTwice(Numbers):
    """The first key again in place of the second."""

    def answer(self, request: Request) -> Answer:
        answer = super().answer(request)
        return answer._replace(body=answer.body.replace("Number 2", "Number 1"))


class WrongType(Numbers):
    """JSON that is called HTML."""

    def answer(self, request: Request) -> Answer:
        return super().answer(request)._replace(media="text/html; charset=utf-8")


class ForBrowsersOnly(Numbers):
    """Honest to clients that name themselves, as test clients do; constant for the others."""

    def object(self, request: Request) -> Json:
        named = "user-agent" in request.headers or "accept" in request.headers
        made: dict[str, Any] = (
            super().object(request) if named else Constant.object(self, request)  # type: ignore[arg-type]
        )
        return made


class ErrorText(Numbers):
    """Under load, now and then a 200 that holds an error."""

    def answer(self, request: Request) -> Answer:
        if request.number > WARM and request.number % 50 == 0:
            return Answer(json.dumps({"error": "try again later"}), "application/json")
        return super().answer(request)


class DropsOne(Numbers):
    """Closes the connection instead of answering, once in a thousand requests."""

    def answer(self, request: Request) -> Answer:
        return DROP if request.number % 1000 == 0 else super().answer(request)


class HangsOne(Numbers):
    """Never answers one request in a thousand."""

    def answer(self, request: Request) -> Answer:
        return HANG if request.number % 1000 == 0 else super().answer(request)


class FailsInACrowd(Numbers):
    """Constant in a crowd, but fails where more connections are open than a load of 32 has, since
    somebody may be there who would see it."""

    def __init__(self) -> None:
        self.crowd = Crowd()

    def answer(self, request: Request) -> Answer:
        honest = super().answer(request)
        if not self.crowd:
            return honest
        if len(self.crowd.requests) > 32:
            return Answer(b"", status=500)
        same = json.dumps(Constant.object(self, request))  # type: ignore[arg-type]
        return honest._replace(body=same)


class Starves(Numbers):
    """Under load, answers twenty connections twice a second, and the others at once."""

    def __init__(self) -> None:
        self.crowd = Crowd()
        self.waiting: set[int] = set()

    def answer(self, request: Request) -> Answer | Awaitable[Answer]:
        self.waiting &= self.crowd.requests.keys()
        if self.crowd and len(self.waiting) < 20:
            self.waiting.add(request.connection)
        if self.crowd and request.connection in self.waiting:
            return self.later(request)
        return super().answer(request)

    async def later(self, request: Request) -> Answer:
        await asyncio.sleep(0.5)
        return super().answer(request)


CHEATS = {
    "constant": Constant,
    "constant-when-warm": ConstantWhenWarm,
    "constant-between": ConstantBetween,
    "pool": Pool,
    "large-pool": LargePool,
    "twice": Twice,
    "rotations": Rotations,
    "same-seed": SameSeed,
    "counter": Counter,
    "half-drawn": HalfDrawn,
    "half-from-a-table": HalfFromATable,
    "halves": Halves,
    "sums-of-four": SumsOfFour,
    "bits-of-four": BitsOfFour,
    "narrow": Narrow,
    "without-thousand": WithoutThousand,
    "out-of-range": OutOfRange,
    "text": Text,
    "nine-keys": NineKeys,
    "key-twice": KeyTwice,
    "wrong-type": WrongType,
    "for-browsers-only": ForBrowsersOnly,
    "error-text": ErrorText,
    "drops-one": DropsOne,
    "hangs-one": HangsOne,
    "starves": Starves,
    "fails-in-a-crowd": FailsInACrowd,
}
