import asyncio
import json
import re
import time
from collections.abc import AsyncIterator

from aiohttp import web

MOST = 10_000
LONGEST_MS = 1000

routes = web.RouteTableDef()


def whole(text: str) -> int:
    """The number that `text` is in up to five digits; -1 where it is none."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else -1


async def events(last: int, count: int, tag: str, gap_ms: int) -> AsyncIterator[str]:
    for number in range(last + 1, count + 1):
        if gap_ms and number > last + 1:
            await asyncio.sleep(gap_ms / 1000)
        event = {"number": number, "tag": tag, "made": time.time_ns() // 1000}
        yield f"id: {number}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n"


@routes.get("/events")
async def push(request: web.Request) -> web.StreamResponse:
    tag = request.query.get("tag", "")
    count = whole(request.query.get("n", ""))
    gap_ms = whole(request.query.get("gap", "0"))
    last = whole(request.headers.get("Last-Event-ID", "0"))
    right = 1 <= count <= MOST and 0 <= gap_ms <= LONGEST_MS and 0 <= last <= count
    if not right or not re.fullmatch("[0-9]{18}", tag):
        raise web.HTTPBadRequest(text=f"n must be 1 to {MOST}, tag have 18 digits")
    if last == count:
        return web.Response(status=204)
    response = web.StreamResponse(
        headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
    )
    await response.prepare(request)
    async for event in events(last, count, tag, gap_ms):
        await response.write(event.encode())
    await response.write_eof()
    return response


app = web.Application()
app.add_routes(routes)
