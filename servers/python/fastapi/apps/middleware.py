import os
from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

requests = 0
passed = 0
app = FastAPI()

for _ in range(int(os.environ["WEBDYNO_MIDDLEWARE"])):

    @app.middleware("http")
    async def count(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        global passed
        passed += 1
        return await call_next(request)


@app.get("/hello", response_class=PlainTextResponse)
async def hello() -> str:
    global requests
    requests += 1
    return "Hello World"


@app.get("/passed")
async def counters() -> dict[str, int]:
    global requests
    requests += 1
    return {"requests": requests, "passed": passed}
