from aiohttp import web

from apps.database import DATABASE, database
from apps.rows import clamped, count_items

routes = web.RouteTableDef()


@routes.post("/updates")
async def updates(request: web.Request) -> web.Response:
    number = clamped(request.query.get("n", ""))
    return web.json_response(await count_items(request.app[DATABASE], number))


app = web.Application()
app.cleanup_ctx.append(database)
app.add_routes(routes)
