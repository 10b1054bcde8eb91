import re
import time

from aiohttp import web

BYTES = 4096
MOST = 65_536

routes = web.RouteTableDef()


@routes.get("/stream")
async def stream(request: web.Request) -> web.StreamResponse:
    n = request.query.get("n", "")
    tag = request.query.get("tag", "")
    count = int(n) if re.fullmatch("[0-9]{1,5}", n) else 0
    if not 1 <= count <= MOST or not re.fullmatch("[0-9]{18}", tag):
        raise web.HTTPBadRequest(text=f"n must be 1 to {MOST}, tag have 18 digits")
    response = web.StreamResponse(headers={"Content-Type": "text/plain"})
    await response.prepare(request)
    for number in range(count):
        head = f"{number:010} {tag} {time.time_ns() // 1000:016} "
        # Waits while the client has not read what was written before.
        await response.write(head.encode().ljust(BYTES - 1, b".") + b"\n")
    await response.write_eof()
    return response


app = web.Application()
app.add_routes(routes)
