import asyncio
import re
import time
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

BYTES = 4096
MOST = 65_536
PIECES_PER_TURN = 16


async def pieces(count: int, tag: str) -> AsyncIterator[bytes]:
    for number in range(count):
        head = f"{number:010} {tag} {time.time_ns() // 1000:016} "
        yield head.encode().ljust(BYTES - 1, b".") + b"\n"
        if (number + 1) % PIECES_PER_TURN == 0:
            # Only a turn of the event loop ends this when the client leaves.
            await asyncio.sleep(0)


async def stream(request: Request) -> Response:
    n = request.query_params.get("n", "")
    tag = request.query_params.get("tag", "")
    count = int(n) if re.fullmatch("[0-9]{1,5}", n) else 0
    if not 1 <= count <= MOST or not re.fullmatch("[0-9]{18}", tag):
        return PlainTextResponse(f"n must be 1 to {MOST}, tag have 18 digits", 400)
    return StreamingResponse(pieces(count, tag), media_type="text/plain")


app = Starlette(routes=[Route("/stream", stream)])
