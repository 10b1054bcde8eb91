import os

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

requests = 0
passed = 0


def counting() -> Middleware:
    """A middleware of its own, which counts and passes the request on."""

    @web.middleware
    async def count(request: web.Request, handler: Handler) -> web.StreamResponse:
        global passed
        passed += 1
        return await handler(request)

    return count


async def hello(request: web.Request) -> web.Response:
    global requests
    requests += 1
    return web.Response(text="Hello World")


async def counters(request: web.Request) -> web.Response:
    global requests
    requests += 1
    return web.json_response({"requests": requests, "passed": passed})


app = web.Application(
    middlewares=[counting() for _ in range(int(os.environ["WEBDYNO_MIDDLEWARE"]))]
)
app.add_routes([web.get("/hello", hello), web.get("/passed", counters)])
