from pathlib import Path
from typing import Any

import aiohttp_jinja2
from aiohttp import web
from jinja2 import FileSystemLoader

from apps.database import DATABASE, database
from apps.rows import read_fortunes

routes = web.RouteTableDef()


@routes.get("/fortunes")
@aiohttp_jinja2.template("fortunes.html")
async def fortunes(request: web.Request) -> dict[str, Any]:
    added = request.query.get("added", "")
    if not added:
        raise web.HTTPBadRequest(text="added must be a text")
    return {"fortunes": await read_fortunes(request.app[DATABASE], added)}


app = web.Application()
app.cleanup_ctx.append(database)
app.add_routes(routes)
aiohttp_jinja2.setup(app, loader=FileSystemLoader(Path(__file__).parent / "templates"))
