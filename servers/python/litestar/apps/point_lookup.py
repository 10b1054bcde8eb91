import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncmy
from litestar import Litestar, MediaType, Request, get
from litestar.exceptions import NotFoundException
from litestar.params import FromQuery

from apps import logs
from apps.pool import connections

candidates = os.environ["WEBDYNO_SKUS"].split(",")


@asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
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


@get("/sku", media_type=MediaType.TEXT)
async def sku(request: Request, id: FromQuery[str | None] = None) -> str:
    wanted = random.choice(candidates) if id is None else id
    database = request.app.state.database
    async with database.acquire() as connection, connection.cursor() as cursor:
        select = "SELECT sku_id FROM purch_sku_master WHERE sku_id = %s"
        await cursor.execute(select, (wanted,))
        row = await cursor.fetchone()
    if row is None:
        raise NotFoundException
    return row[0]


app = Litestar([sku], lifespan=[lifespan], logging_config=logs.config, openapi_config=None)
