from collections.abc import AsyncIterator

from aiohttp import web

from apps.database import DATABASE, database
from apps.rows import clamped
from apps.world_cache import WorldCache

CACHE = web.AppKey("cache", WorldCache)
routes = web.RouteTableDef()


async def cache(app: web.Application) -> AsyncIterator[None]:
    app[CACHE] = WorldCache(app[DATABASE])
    yield


@routes.get("/cached")
async def cached(request: web.Request) -> web.Response:
    number = clamped(request.query.get("n", ""))
    return web.json_response(await request.app[CACHE].read(number))


app = web.Application()
app.cleanup_ctx.extend([database, cache])
app.add_routes(routes)
