from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from apps.database import pool
from apps.rows import clamped, count_items

database = pool()


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with database:
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/updates")
async def updates(n: str = "") -> list[dict[str, int]]:
    return await count_items(database, clamped(n))
