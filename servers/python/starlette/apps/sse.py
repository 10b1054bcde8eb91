import asyncio
import json
import re
import time
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

MOST = 10_000
LONGEST_MS = 1000


def whole(text: str) -> int:
    """The number that `text` is in up to five digits; -1 where it is none."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else -1


async def events(last: int, count: int, tag: str, gap_ms: int) -> AsyncIterator[str]:
    for number in range(last + 1, count + 1):
        if number > last + 1:
            # Even for no time: only a turn of the event loop ends this when the client leaves.
            await asyncio.sleep(gap_ms / 1000)
        event = {"number": number, "tag": tag, "made": time.time_ns() // 1000}
        yield f"id: {number}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n"


async def push(request: Request) -> Response:
    tag = request.query_params.get("tag", "")
    count = whole(request.query_params.get("n", ""))
    gap_ms = whole(request.query_params.get("gap", "0"))
    last = whole(request.headers.get("last-event-id", "0"))
    right = 1 <= count <= MOST and 0 <= gap_ms <= LONGEST_MS and 0 <= last <= count
    if not right or not re.fullmatch("[0-9]{18}", tag):
        return PlainTextResponse(f"n must be 1 to {MOST}, tag have 18 digits", 400)
    if last == count:
        return Response(status_code=204)
    return StreamingResponse(
        events(last, count, tag, gap_ms),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-cache"},
    )


app = Starlette(routes=[Route("/events", push)])
