import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncmy
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from apps.pool import connections

candidates = os.environ["WEBDYNO_SKUS"].split(",")


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
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


async def sku(request: Request) -> PlainTextResponse:
    wanted = request.query_params.get("id")
    if wanted is None:
        wanted = random.choice(candidates)
    async with request.app.state.database.acquire() as connection, connection.cursor() as cursor:
        select = "SELECT sku_id FROM purch_sku_master WHERE sku_id = %s"
        await cursor.execute(select, (wanted,))
        row = await cursor.fetchone()
    if row is None:
        raise HTTPException(404)
    return PlainTextResponse(row[0])


app = Starlette(routes=[Route("/sku", sku)], lifespan=lifespan)
