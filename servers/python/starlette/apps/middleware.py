import os

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

requests = 0
passed = 0


class Counting:
    """Counts a request and passes it on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        global passed
        # Besides requests there is the application's start and end.
        if scope["type"] == "http":
            passed += 1
        await self.app(scope, receive, send)


async def hello(request: Request) -> PlainTextResponse:
    global requests
    requests += 1
    return PlainTextResponse("Hello World")


async def counters(request: Request) -> JSONResponse:
    global requests
    requests += 1
    return JSONResponse({"requests": requests, "passed": passed})


app = Starlette(
    routes=[Route("/hello", hello), Route("/passed", counters)],
    middleware=[Middleware(Counting) for _ in range(int(os.environ["WEBDYNO_MIDDLEWARE"]))],
)
