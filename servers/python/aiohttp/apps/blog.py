import os
from pathlib import Path
from typing import Any

import aiohttp_jinja2
from aiohttp import web
from jinja2 import FileSystemLoader

from apps.posts import Library

folder = Path(os.environ["WEBDYNO_BLOG_DATA"])
library = Library(folder)
routes = web.RouteTableDef()


@routes.get("/blog")
@aiohttp_jinja2.template("blog.html")
async def blog(request: web.Request) -> dict[str, Any]:
    return {"posts": library.draw_page()}


routes.static("/images", folder / "static" / "images")
routes.static("/css", folder / "static" / "css")

app = web.Application()
app.add_routes(routes)
aiohttp_jinja2.setup(app, loader=FileSystemLoader(Path(__file__).parent / "templates"))
