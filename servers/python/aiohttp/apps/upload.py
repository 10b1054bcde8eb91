import hashlib

from aiohttp import web

routes = web.RouteTableDef()


@routes.post("/upload")
async def upload(request: web.Request) -> web.Response:
    sha256, length = hashlib.sha256(), 0
    # Hashing a piece takes microseconds: less than handing it to another thread would.
    async for piece in request.content.iter_any():
        sha256.update(piece)
        length += len(piece)
    return web.Response(text=f"sha256:{sha256.hexdigest()} {length}")


app = web.Application()
app.add_routes(routes)
