from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from apps.database import pool
from apps.rows import clamped
from apps.world_cache import WorldCache

database = pool()
cache = WorldCache(database)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    async with database:
        yield


async def cached(request: Request) -> JSONResponse:
    number = clamped(request.query_params.get("n", ""))
    return JSONResponse(await cache.read(number))


app = Starlette(routes=[Route("/cached", cached)], lifespan=lifespan)
