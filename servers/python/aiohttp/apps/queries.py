from aiohttp import web

from apps.database import DATABASE, database
from apps.rows import clamped, read_worlds

routes = web.RouteTableDef()


@routes.get("/queries")
async def queries(request: web.Request) -> web.Response:
    number = clamped(request.query.get("n", ""))
    return web.json_response(await read_worlds(request.app[DATABASE], number))


app = web.Application()
app.cleanup_ctx.append(database)
app.add_routes(routes)
