"""What a single request for a row must show."""

from __future__ import annotations

from urllib.parse import quote

import httpx

from webdyno.verifier import Probe, media_problem


def get(probe: Probe, sku: str) -> httpx.Response:
    """The answer for the id `sku`."""
    return probe.get(f"/sku?id={quote(sku, safe='')}")


def problem(probe: Probe, asked: str, held: str | None = None) -> str | None:
    """What is wrong with the answer for the id `asked`, which its row has as `held`; None where
    nothing is."""
    answer = get(probe, asked)
    kind = answer.headers.get("content-type", "")
    return wrong(answer.status_code, kind, answer.content, held or asked)


def missing(probe: Probe, sku: str) -> str | None:
    """What is wrong with the answer for an id that no row has; None where it is 404."""
    answer = get(probe, sku)
    return None if answer.status_code == 404 else f"{sku!r} was answered {answer.status_code}"


def wrong(status: int, content_type: str, body: bytes, sku: str) -> str | None:
    """What is wrong with an answer for the row `sku`; None where nothing is."""
    if status != 200:
        return f"{sku} was answered {status}: {body[:60]!r}"
    if body != sku.encode():
        return f"{sku} was answered {body[:60]!r}"
    return media_problem(content_type, "text/plain")
