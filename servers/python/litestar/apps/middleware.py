import os

from litestar import Litestar, MediaType, get
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from apps import logs

requests = 0
passed = 0


class Counting(ASGIMiddleware):
    """Counts a request and passes it on."""

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        global passed
        passed += 1
        await next_app(scope, receive, send)


@get("/hello", media_type=MediaType.TEXT)
async def hello() -> str:
    global requests
    requests += 1
    return "Hello World"


@get("/passed")
async def counters() -> dict[str, int]:
    global requests
    requests += 1
    return {"requests": requests, "passed": passed}


app = Litestar(
    [hello, counters],
    middleware=[Counting() for _ in range(int(os.environ["WEBDYNO_MIDDLEWARE"]))],
    logging_config=logs.config,
    openapi_config=None,
)
