import asyncio
import re
import time
from collections.abc import AsyncIterator

from litestar import Litestar, MediaType, get
from litestar.exceptions import ClientException
from litestar.params import FromQuery
from litestar.response import Stream

from apps import logs

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


@get("/stream", media_type=MediaType.TEXT)
async def stream(n: FromQuery[str] = "", tag: FromQuery[str] = "") -> Stream:
    count = int(n) if re.fullmatch("[0-9]{1,5}", n) else 0
    if not 1 <= count <= MOST or not re.fullmatch("[0-9]{18}", tag):
        raise ClientException(f"n must be 1 to {MOST}, tag have 18 digits")
    return Stream(pieces(count, tag))


app = Litestar([stream], logging_config=logs.config, openapi_config=None)
