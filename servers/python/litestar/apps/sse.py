import asyncio
import json
import re
import time
from collections.abc import AsyncIterator
from typing import Annotated

from litestar import Litestar, Response, get
from litestar.exceptions import ClientException
from litestar.params import FromQuery, HeaderParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage

from apps import logs

MOST = 10_000
LONGEST_MS = 1000


def whole(text: str) -> int:
    """The number that `text` is in up to five digits; -1 where it is none."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else -1


async def events(
    last: int, count: int, tag: str, gap_ms: int
) -> AsyncIterator[ServerSentEventMessage]:
    for number in range(last + 1, count + 1):
        if number > last + 1:
            # Even for no time: only a turn of the event loop ends this when the client leaves.
            await asyncio.sleep(gap_ms / 1000)
        event = {"number": number, "tag": tag, "made": time.time_ns() // 1000}
        data = json.dumps(event, separators=(",", ":"))
        yield ServerSentEventMessage(data=data, id=number, sep="\n")


@get("/events")
async def push(
    n: FromQuery[str] = "",
    tag: FromQuery[str] = "",
    gap: FromQuery[str] = "0",
    last_event_id: Annotated[str, HeaderParameter(name="Last-Event-ID")] = "0",
) -> Response:
    count, gap_ms, last = whole(n), whole(gap), whole(last_event_id)
    right = 1 <= count <= MOST and 0 <= gap_ms <= LONGEST_MS and 0 <= last <= count
    if not right or not re.fullmatch("[0-9]{18}", tag):
        raise ClientException(f"n must be 1 to {MOST}, tag have 18 digits")
    if last == count:
        return Response(None, status_code=204)
    return ServerSentEvent(events(last, count, tag, gap_ms))


app = Litestar([push], logging_config=logs.config, openapi_config=None)
