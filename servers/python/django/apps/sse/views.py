import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Iterator

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

MOST = 10_000
LONGEST_MS = 1000


def whole(text: str) -> int:
    """The number that `text` is in up to five digits; -1 where it is none."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else -1


def event(number: int, tag: str) -> str:
    content = {"number": number, "tag": tag, "made": time.time_ns() // 1000}
    return f"id: {number}\ndata: {json.dumps(content, separators=(',', ':'))}\n\n"


def events(last: int, count: int, tag: str, gap_ms: int) -> Iterator[str]:
    for number in range(last + 1, count + 1):
        if gap_ms and number > last + 1:
            time.sleep(gap_ms / 1000)
        yield event(number, tag)


async def awaited_events(last: int, count: int, tag: str, gap_ms: int) -> AsyncIterator[str]:
    """The same for ASGI, where Django would collect all of a plain iterator before it sends any."""
    for number in range(last + 1, count + 1):
        if number > last + 1:
            # Even for no time: only a turn of the event loop ends this when the client leaves.
            await asyncio.sleep(gap_ms / 1000)
        yield event(number, tag)


def push(request: HttpRequest) -> HttpResponseBase:
    tag = request.GET.get("tag", "")
    count = whole(request.GET.get("n", ""))
    gap_ms = whole(request.GET.get("gap", "0"))
    last = whole(request.headers.get("Last-Event-ID", "0"))
    right = 1 <= count <= MOST and 0 <= gap_ms <= LONGEST_MS and 0 <= last <= count
    if not right or not re.fullmatch("[0-9]{18}", tag):
        return HttpResponseBadRequest(f"n must be 1 to {MOST}, tag have 18 digits")
    if last == count:
        return HttpResponse(status=204)
    make = awaited_events if isinstance(request, ASGIRequest) else events
    return StreamingHttpResponse(
        make(last, count, tag, gap_ms),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache"},
    )
