"""Servers that save themselves the database, or the signature, in `GET /`'s count of visits."""

from __future__ import annotations

import asyncio
import base64
from collections import Counter

from crowd import Crowd
from honest import Sessions
from tiny import Answer, Request

WARM = 1000


class InCookie(Sessions):
    """The count travels in the signed cookie; the table is not used at all."""

    def answer(self, request: Request) -> Answer:
        known = self.known(self.cookie(request))
        count = int(known or 0) + 1
        return Answer(f"Count is {count}", cookie=f"session={self.signed(str(count))}")


class InCookieWithRow(Sessions):
    """The count travels in the signed cookie; a row is written to look at, and never read."""

    def answer(self, request: Request) -> Answer:
        known = self.known(self.cookie(request)) or f"{request.number:x}f{id(request):x}-0"
        uid, _, seen = known.partition("-")
        count = int(seen) + 1
        self.write(uid, count)
        return Answer(f"Count is {count}", cookie=f"session={self.signed(f'{uid}-{count}')}")


class InMemory(Sessions):
    """Counts in memory, and writes what it counted."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def read(self, uid: str) -> int:
        self.counts[uid] += 1
        return self.counts[uid] - 1


class InMemoryWhenWarm(Sessions):
    """Reads each session once and then remembers it, after a thousand requests."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}

    def count(self, uid: str, request: Request) -> int:
        if request.number <= WARM:
            return super().count(uid, request)
        self.counts[uid] = self.counts.get(uid, self.read(uid)) + 1
        if self.is_written(self.counts[uid]):
            self.write(uid, self.counts[uid])
        return self.counts[uid]

    def is_written(self, count: int) -> bool:
        return True


class InMemoryPerConnection(Sessions):
    """Every connection's worker remembers what it counted itself."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[tuple[int, str], int] = {}

    def count(self, uid: str, request: Request) -> int:
        mine = (request.connection, uid)
        self.counts[mine] = self.counts.get(mine, self.read(uid)) + 1
        self.write(uid, self.counts[mine])
        return self.counts[mine]


class SkipsUpdates(Sessions):
    """Under load, one update in fifty is not made."""

    def count(self, uid: str, request: Request) -> int:
        if request.number > WARM and request.number % 50 == 0:
            return self.read(uid) + 1
        return super().count(uid, request)


class WritesEveryTenth(InMemoryWhenWarm):
    """Under load, counts in memory and writes every tenth count."""

    def is_written(self, count: int) -> bool:
        return count % 10 == 1


class WritesLater(Sessions):
    """Answers first, and writes when the next request comes."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.waiting: set[str] = set()

    def answer(self, request: Request) -> Answer:
        for uid in self.waiting:
            super().write(uid, self.counts[uid])
        self.waiting.clear()
        return super().answer(request)

    def read(self, uid: str) -> int:
        return self.counts.get(uid, 0)

    def write(self, uid: str, count: int) -> None:
        self.counts[uid] = count
        self.waiting.add(uid)


class AnswersFirstInACrowd(Sessions):
    """In a crowd, a visit is committed some milliseconds after its answer."""

    late_s = 0.01

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd()
        self.due: dict[str, int] = {}

    def read(self, uid: str) -> int:
        return self.due[uid] if uid in self.due else super().read(uid)

    def write(self, uid: str, count: int) -> None:
        if not self.crowd:
            super().write(uid, count)
            return
        self.due[uid] = count
        asyncio.get_running_loop().call_later(self.late_s, self.commit, uid)

    def commit(self, uid: str) -> None:
        if (count := self.due.pop(uid, None)) is not None:
            super().write(uid, count)


class OneForAll(Sessions):
    """One count for everybody."""

    def known(self, cookie: str) -> str | None:
        return "everybody" if cookie else None

    def count(self, uid: str, request: Request) -> int:
        return super().count("everybody", request)


class Unsigned(Sessions):
    """The cookie is the bare id, and any id is good."""

    def signed(self, value: str) -> str:
        return value


class UnsignedBase64(Sessions):
    """The same in base64, which looks like a token."""

    def signed(self, value: str) -> str:
        return base64.urlsafe_b64encode(value.encode()).decode().rstrip("=")

    def known(self, cookie: str) -> str | None:
        try:
            return base64.urlsafe_b64decode(cookie + "==").decode() or None
        except ValueError:
            return None


class SignatureIgnored(Sessions):
    """Cookies are signed, and nobody looks at the signature."""

    def known(self, cookie: str) -> str | None:
        return cookie.partition(".")[0] or None


class TrustsKnownIds(Sessions):
    """Takes any cookie whose id has a row, whatever its signature."""

    def known(self, cookie: str) -> str | None:
        uid = cookie.partition(".")[0]
        return uid if self.read(uid) else None


class FailsOnGarbage(Sessions):
    """A cookie that makes no sense is an error."""

    def answer(self, request: Request) -> Answer:
        cookie = request.headers.get("cookie", "")
        if cookie and "." not in cookie:
            return Answer("bad cookie", status=500)
        return super().answer(request)


class FailsWithoutRow(Sessions):
    """A good cookie without a row is an error."""

    def answer(self, request: Request) -> Answer:
        uid = self.known(self.cookie(request))
        if uid is not None and not self.read(uid):
            return Answer("no such session", status=500)
        return super().answer(request)


class TwoRows(Sessions):
    """Begins a second session with each."""

    def count(self, uid: str, request: Request) -> int:
        count = super().count(uid, request)
        if count == 1:
            self.write(f"{uid}-too", 1)
        return count


class OtherText(Sessions):
    """Another text than the contract's."""

    def answer(self, request: Request) -> Answer:
        answer = super().answer(request)
        return answer._replace(body=f"{answer.body!s}.")


class WrongType(Sessions):
    """Text that is called JSON."""

    def answer(self, request: Request) -> Answer:
        return super().answer(request)._replace(media="application/json")


class ErrorText(Sessions):
    """Under load, now and then a 200 that holds an error."""

    def answer(self, request: Request) -> Answer:
        busy = request.number > WARM and request.number % 50 == 0
        return Answer("Too many connections") if busy else super().answer(request)


CHEATS = {
    "in-cookie": InCookie,
    "in-cookie-with-row": InCookieWithRow,
    "in-memory": InMemory,
    "in-memory-when-warm": InMemoryWhenWarm,
    "in-memory-per-connection": InMemoryPerConnection,
    "skips-updates": SkipsUpdates,
    "writes-every-tenth": WritesEveryTenth,
    "writes-later": WritesLater,
    "answers-first-in-a-crowd": AnswersFirstInACrowd,
    "one-for-all": OneForAll,
    "unsigned": Unsigned,
    "unsigned-base64": UnsignedBase64,
    "signature-ignored": SignatureIgnored,
    "trusts-known-ids": TrustsKnownIds,
    "fails-on-garbage": FailsOnGarbage,
    "fails-without-row": FailsWithoutRow,
    "two-rows": TwoRows,
    "other-text": OtherText,
    "wrong-type": WrongType,
    "error-text": ErrorText,
}
