"""Visitors of `GET /`: what they must be told, and what their visits must do to the table."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import closing

import httpx

from webdyno.runtime.services.sessions import Sessions
from webdyno.verifier import Probe, media_problem
from webdyno.verifier.cookies import set_cookies

BODY = re.compile(r"Count is ([1-9][0-9]*)")


class Visitor:
    """Someone with a cookie jar of their own, on connections of their own."""

    def __init__(self, probe: Probe, jar: Mapping[str, str] | None = None) -> None:
        self.probe = Probe(probe.base_url, timeout=probe.timeout)
        self.jar = dict(jar or {})
        self.uid = ""
        self.count = 0

    def get(self, **options: float) -> httpx.Response:
        line = "; ".join(f"{name}={value}" for name, value in self.jar.items())
        headers = {"Cookie": line.encode()} if self.jar else {}
        answer = self.probe.get("/", headers=headers, **options)
        self.jar.update(set_cookies(answer.headers.get_list("set-cookie")))
        return answer

    def cookies(self) -> str:
        """What the next visit comes with, each value cut after 60 characters."""
        return "; ".join(f"{name}={value[:60]}" for name, value in self.jar.items())

    def close(self) -> None:
        self.probe.close()


class Rows:
    """The table as visits must leave it. Each method says what is wrong; None where nothing is."""

    def __init__(self, store: Sessions) -> None:
        self._store = store

    def visit(self, visitor: Visitor, count: int, *others: Visitor) -> str | None:
        """Visit, and say what is wrong: `count` is due, in one row, which is none of `others`."""
        sent = visitor.cookies()
        problem = self._visited(visitor, count, *others)
        return problem and f"{problem}; the cookie was '{sent}'"

    def _visited(self, visitor: Visitor, count: int, *others: Visitor) -> str | None:
        if problem := problem_of(visitor.get(), count):
            return problem
        rows = self._store.changes()
        if len(rows) != 1:
            return f"the visit changed {len(rows)} rows of usersessions, not one, for count {count}"
        [(uid, data)] = rows.items()
        if count_in(data) != count:
            return f"the row holds {data[:80]!r}, not the count {count}"
        if count > 1 and uid != visitor.uid:
            return f"the visit changed the row {uid!r}; the session's is {visitor.uid!r}"
        if taken := [other for other in others if other.uid == uid]:
            return f"the visit changed the row of a session with {taken[0].count} visits"
        visitor.uid, visitor.count = uid, count
        return None

    def goes_on(self, probe: Probe, visitor: Visitor) -> str | None:
        """The cookies of `visitor`, sent to the server of `probe`, get the visitor's next count."""
        with closing(Visitor(probe, visitor.jar)) as again:
            again.uid = visitor.uid
            return self.visit(again, visitor.count + 1)

    def begins_anew(self, probe: Probe, jar: Mapping[str, str], *others: Visitor) -> str | None:
        """The cookies in `jar` are none of a session's, least of all of one of `others`."""
        with closing(Visitor(probe, jar)) as stranger:
            return self.visit(stranger, 1, *others)

    def after_change(self, visitor: Visitor, value: int) -> str | None:
        """A visit goes on from `value`, set in its row."""
        self.set(visitor, value)
        problem = self.visit(visitor, value + 1)
        return problem and f"{problem}; the row had been set to {value}"

    def set(self, visitor: Visitor, count: int) -> None:
        """Change the count in a visitor's row."""
        self._store.set_count(visitor.uid, count)
        visitor.count = count


def problem_of(answer: httpx.Response, count: int) -> str | None:
    """What is wrong with an answer that should tell `count`; None where nothing is."""
    kind = answer.headers.get("content-type", "")
    return wrong(answer.status_code, kind, answer.content, count)


def wrong(status: int, content_type: str, body: bytes, count: int | None = None) -> str | None:
    """What is wrong with an answer; None where nothing is. Any count will do for None."""
    if status != 200:
        return f"answered {status}: {body[:60]!r}"
    text = body.decode("utf-8", "replace")
    if not BODY.fullmatch(text) or (count is not None and text != f"Count is {count}"):
        return f"the body is {body[:60]!r}, not 'Count is {count or 'N'}'"
    problem = media_problem(content_type, "text/plain")
    return problem and media_problem(content_type, "text/html") and f"{problem} or 'text/html'"


def count_in(data: str) -> object:
    """The count in a row; None where there is none."""
    try:
        held = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return held.get("count") if isinstance(held, dict) else None
