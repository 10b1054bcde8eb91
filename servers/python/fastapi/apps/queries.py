from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from apps.database import pool
from apps.rows import clamped, read_worlds

database = pool()


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with database:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/queries")
async def queries(n: str = "") -> list[dict[str, int]]:
    return await read_worlds(database, clamped(n))
