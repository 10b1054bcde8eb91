import os
import random
from collections.abc import AsyncIterator

import asyncmy
from aiohttp import web

from apps.pool import connections

DATABASE = web.AppKey("database", asyncmy.Pool)
candidates = os.environ["WEBDYNO_SKUS"].split(",")
routes = web.RouteTableDef()


async def database(app: web.Application) -> AsyncIterator[None]:
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
    ) as pool:
        app[DATABASE] = pool
        yield


@routes.get("/sku")
async def sku(request: web.Request) -> web.Response:
    wanted = request.query.get("id")
    if wanted is None:
        wanted = random.choice(candidates)
    async with request.app[DATABASE].acquire() as connection, connection.cursor() as cursor:
        select = "SELECT sku_id FROM purch_sku_master WHERE sku_id = %s"
        await cursor.execute(select, (wanted,))
        row = await cursor.fetchone()
    if row is None:
        raise web.HTTPNotFound
    return web.Response(text=row[0])


app = web.Application()
app.cleanup_ctx.append(database)
app.add_routes(routes)
