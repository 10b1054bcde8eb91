import asyncio
import json
import re
import time
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import FastAPI, Header, HTTPException
from fastapi.responses import Response, StreamingResponse

MOST = 10_000
LONGEST_MS = 1000

app = FastAPI()


def whole(text: str) -> int:
    """The number that `text` is in up to five digits; -1 where it is none."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else -1


# Not by EventSourceResponse: that makes events ahead of the connection.
async def events(last: int, count: int, tag: str, gap_ms: int) -> AsyncIterator[str]:
    for number in range(last + 1, count + 1):
        if number > last + 1:
            # Even for no time: only a turn of the event loop ends this when the client leaves.
            await asyncio.sleep(gap_ms / 1000)
        event = {"number": number, "tag": tag, "made": time.time_ns() // 1000}
        yield f"id: {number}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n"


@app.get("/events", response_class=StreamingResponse)
async def push(
    n: str = "",
    tag: str = "",
    gap: str = "0",
    last_event_id: Annotated[str, Header()] = "0",
) -> Response:
    count, gap_ms, last = whole(n), whole(gap), whole(last_event_id)
    right = 1 <= count <= MOST and 0 <= gap_ms <= LONGEST_MS and 0 <= last <= count
    if not right or not re.fullmatch("[0-9]{18}", tag):
        raise HTTPException(400, f"n must be 1 to {MOST}, tag have 18 digits")
    if last == count:
        return Response(status_code=204)
    return StreamingResponse(
        events(last, count, tag, gap_ms),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-cache"},
    )
