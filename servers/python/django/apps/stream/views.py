import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterator

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

BYTES = 4096
MOST = 65_536
PIECES_PER_TURN = 16


def pieces(count: int, tag: str) -> Iterator[bytes]:
    for number in range(count):
        head = f"{number:010} {tag} {time.time_ns() // 1000:016} "
        yield head.encode().ljust(BYTES - 1, b".") + b"\n"


async def awaited(made: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The same for ASGI, where Django would collect all of a plain iterator before it sends any."""
    for number, piece in enumerate(made, 1):
        yield piece
        if number % PIECES_PER_TURN == 0:
            # Only a turn of the event loop ends this when the client leaves.
            await asyncio.sleep(0)


def stream(request: HttpRequest) -> HttpResponseBase:
    n = request.GET.get("n", "")
    tag = request.GET.get("tag", "")
    count = int(n) if re.fullmatch("[0-9]{1,5}", n) else 0
    if not 1 <= count <= MOST or not re.fullmatch("[0-9]{18}", tag):
        return HttpResponseBadRequest(f"n must be 1 to {MOST}, tag have 18 digits")
    made = pieces(count, tag)
    return StreamingHttpResponse(
        awaited(made) if isinstance(request, ASGIRequest) else made, content_type="text/plain"
    )
