"""Visitors of `GET /`, and what an answer must be."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import httpx

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

    def close(self) -> None:
        self.probe.close()


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
