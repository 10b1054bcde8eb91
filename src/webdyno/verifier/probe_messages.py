"""A probe's requests as the load writes them, and what its answers tell besides."""

from __future__ import annotations

import httpx

EARLY = "came_early"
"""The extension of an answer that holds whether it `came_early`."""


def write_as_the_load(request: httpx.Request, *, is_empty: bool) -> None:
    """Put the length last, and leave that of an empty body out where none `is_empty` on purpose: by
    it a server could tell a request of the verifier's."""
    lengths = [one for one in request.headers.raw if one[0].lower() == b"content-length"]
    others = [one for one in request.headers.raw if one not in lengths]
    told = [one for one in lengths if not (is_empty and one[1] == b"0")]
    request.headers = httpx.Headers([*others, *told])


def is_kept(answer: httpx.Response) -> bool:
    """Whether the server says that it keeps the connection of `answer` open."""
    return "close" not in answer.headers.get("connection", "").lower()


def came_early(answer: httpx.Response) -> bool:
    """Whether an answer of a probe's came before all of its request was sent."""
    return bool(answer.extensions.get(EARLY))
