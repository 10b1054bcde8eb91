from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from apps.database import pool
from apps.rows import clamped, read_worlds

database = pool()


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    async with database:
        yield


async def queries(request: Request) -> JSONResponse:
    number = clamped(request.query_params.get("n", ""))
    return JSONResponse(await read_worlds(database, number))


app = Starlette(routes=[Route("/queries", queries)], lifespan=lifespan)
