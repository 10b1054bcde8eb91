import random

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


async def numbers(request: Request) -> JSONResponse:
    return JSONResponse({f"Test Number {i}": random.randint(0, 1000) for i in range(1, 11)})


app = Starlette(routes=[Route("/json", numbers)])
