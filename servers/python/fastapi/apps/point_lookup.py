import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncmy
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import PlainTextResponse

from apps.pool import connections

candidates = os.environ["WEBDYNO_SKUS"].split(",")


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with asyncmy.create_pool(
        host=os.environ["MYSQL_HOST"],
        port=int(os.environ["MYSQL_PORT"]),
        user=os.environ["MYSQL_USER"],
        password=os.environ.get("MYSQL_PASSWORD", ""),
        database=os.environ["MYSQL_DATABASE"],
        minsize=connections(),
        maxsize=connections(),
        # Without it, a connection sees the table as it was at its first SELECT.
        autocommit=True,
        # Without it, values are written into the text of a statement, which is never prepared.
        stmt_cache_size=16,
    ) as app.state.database:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/sku", response_class=PlainTextResponse)
async def sku(request: Request, id: str | None = None) -> str:
    wanted = random.choice(candidates) if id is None else id
    async with request.app.state.database.acquire() as connection, connection.cursor() as cursor:
        select = "SELECT sku_id FROM purch_sku_master WHERE sku_id = %s"
        await cursor.execute(select, (wanted,))
        row = await cursor.fetchone()
    if row is None:
        raise HTTPException(404)
    return row[0]
