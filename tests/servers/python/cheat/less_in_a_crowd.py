"""Servers that leave out, while they are under load, what no request of the load needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import honest
import rows
from crowd import Crowd
from tiny import Answer, Handler, Request


class Everywhere:
    """No router in a crowd: every path is answered as the load's."""

    def __init__(self, kind: Callable[[], honest.Hello]) -> None:
        self.honest = kind()
        self.crowd = Crowd()

    def __call__(self, request: Request) -> Answer | Awaitable[Answer]:
        return self.honest.answer(request) if self.crowd else self.honest(request)


class AnyMethod(rows.Updates):
    """Takes a GET for a POST in a crowd."""

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd()

    def __call__(self, request: Request) -> Answer:
        return super().__call__(request._replace(method="POST") if self.crowd else request)


class NumberOfTheLoad:
    """Parses no number in a crowd: it is the load's."""

    def __init__(self, kind: Callable[[], honest.Hello]) -> None:
        self.honest = kind()
        self.crowd = Crowd()

    def __call__(self, request: Request) -> Answer:
        if self.crowd and request.path == self.honest.path:
            request = request._replace(query={"n": ["20"]})
        return self.honest(request)


class Unsigned(honest.Sessions):
    """Checks no signature in a crowd."""

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd()

    def known(self, cookie: str) -> str | None:
        return cookie.partition(".")[0] or None if self.crowd else super().known(cookie)


EVERYWHERE = {
    "json": honest.Numbers,
    "blog": honest.Blog,
    "upload": honest.Upload,
    "page": honest.Page,
    "queries": rows.Queries,
    "cached": rows.Cached,
    "fortunes": rows.Fortunes,
}
NUMBER = {"queries": rows.Queries, "cached": rows.Cached, "updates": rows.Updates}

Cheats = Mapping[str, Callable[[], Handler]]


def cheats_at(scenario: str) -> Cheats:
    """Those at this scenario."""
    found: dict[str, Callable[[], Handler]] = {}
    if scenario in EVERYWHERE:
        found["everywhere-in-a-crowd"] = partial(Everywhere, EVERYWHERE[scenario])
    if scenario in NUMBER:
        found["number-of-the-load"] = partial(NumberOfTheLoad, NUMBER[scenario])
    if scenario == "updates":
        found["any-method-in-a-crowd"] = AnyMethod
    if scenario == "session-counter":
        found["unsigned-in-a-crowd"] = Unsigned
    return found
