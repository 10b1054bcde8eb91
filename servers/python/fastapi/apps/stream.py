import re
import time
from collections.abc import AsyncIterator
from typing import Annotated, NamedTuple

from fastapi import Depends, FastAPI, HTTPException
from fastapi.responses import StreamingResponse

BYTES = 4096
MOST = 65_536

app = FastAPI()


class TextStream(StreamingResponse):
    media_type = "text/plain"


class Wanted(NamedTuple):
    count: int
    tag: str


async def wanted(n: str = "", tag: str = "") -> Wanted:
    count = int(n) if re.fullmatch("[0-9]{1,5}", n) else 0
    if not 1 <= count <= MOST or not re.fullmatch("[0-9]{18}", tag):
        raise HTTPException(400, f"n must be 1 to {MOST}, tag have 18 digits")
    return Wanted(count, tag)


@app.get("/stream", response_class=TextStream)
async def stream(asked: Annotated[Wanted, Depends(wanted)]) -> AsyncIterator[bytes]:
    for number in range(asked.count):
        head = f"{number:010} {asked.tag} {time.time_ns() // 1000:016} "
        yield head.encode().ljust(BYTES - 1, b".") + b"\n"
