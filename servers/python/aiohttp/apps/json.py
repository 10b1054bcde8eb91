import random

from aiohttp import web

routes = web.RouteTableDef()


@routes.get("/json")
async def numbers(request: web.Request) -> web.Response:
    return web.json_response({f"Test Number {i}": random.randint(0, 1000) for i in range(1, 11)})


app = web.Application()
app.add_routes(routes)
