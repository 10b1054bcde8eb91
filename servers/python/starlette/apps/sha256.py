import os
import re
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from apps.digests import digest_chain

file = Path(os.environ["WEBDYNO_FILE"])


# Not async: Starlette runs it in its thread pool, because reading and hashing would hold up every
# connection of the event loop.
def benchmark(request: Request) -> PlainTextResponse:
    n = request.query_params.get("n", "")
    if not re.fullmatch("[0-9]{1,6}", n) or not 1 <= int(n) <= 100_000:
        raise HTTPException(400, "n must be an integer from 1 to 100000")
    return PlainTextResponse(digest_chain(file.read_bytes(), int(n)))


app = Starlette(routes=[Route("/benchmark", benchmark)])
