from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from apps.database import pool
from apps.rows import clamped
from apps.world_cache import WorldCache

database = pool()
cache = WorldCache(database)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with database:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/cached")
async def cached(n: str = "") -> list[dict[str, int]]:
    return await cache.read(clamped(n))
