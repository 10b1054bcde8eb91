from aiohttp import web

routes = web.RouteTableDef()


@routes.get("/hello")
async def hello(request: web.Request) -> web.Response:
    return web.Response(text="Hello World")


app = web.Application()
app.add_routes(routes)
