"""A small service: an item as JSON, signed with rounds of SHA-256.

Its argument is how many rounds more than usual a request takes.
"""

import hashlib
import os
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

USUAL_ROUNDS = 40
ROUNDS = USUAL_ROUNDS + int(sys.argv[1] if len(sys.argv) > 1 else 0)


def sign(number: int) -> str:
    digest = usual = hashlib.sha256(b"item %d" % number).digest()
    for at in range(ROUNDS):
        digest = hashlib.sha256(digest).digest()
        if at == USUAL_ROUNDS - 1:
            usual = digest
    return usual.hex()


async def item(request: Request) -> JSONResponse:
    number = request.path_params["id"]
    return JSONResponse(
        {
            "id": number,
            "name": f"item {number}",
            "tags": ["new", "small"],
            "signature": sign(number),
        }
    )


app = Starlette(routes=[Route("/items/{id:int}", item)])

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
