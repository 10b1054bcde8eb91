import asyncio
import os
import re
from pathlib import Path

from aiohttp import web

from apps.digests import digest_chain

file = Path(os.environ["WEBDYNO_FILE"])
routes = web.RouteTableDef()


@routes.get("/benchmark")
async def benchmark(request: web.Request) -> web.Response:
    n = request.query.get("n", "")
    if not re.fullmatch("[0-9]{1,6}", n) or not 1 <= int(n) <= 100_000:
        raise web.HTTPBadRequest(text="n must be an integer from 1 to 100000")
    # Reading and hashing would hold up every connection of the event loop.
    return web.Response(text=await asyncio.to_thread(digest_file, int(n)))


def digest_file(n: int) -> str:
    return digest_chain(file.read_bytes(), n)


app = web.Application()
app.add_routes(routes)
