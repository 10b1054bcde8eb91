from pathlib import Path
from typing import Any

import aiohttp_jinja2
from aiohttp import web
from jinja2 import FileSystemLoader
from psycopg.rows import dict_row

from apps.database import DATABASE, database

routes = web.RouteTableDef()


@routes.get("/page")
@aiohttp_jinja2.template("page.html")
async def page(request: web.Request) -> dict[str, Any]:
    async with request.app[DATABASE].connection() as connection:
        rows = connection.cursor(row_factory=dict_row)
        await rows.execute("SELECT title, author, summary FROM articles ORDER BY number")
        return {"articles": await rows.fetchall()}


app = web.Application()
app.cleanup_ctx.append(database)
app.add_routes(routes)
aiohttp_jinja2.setup(app, loader=FileSystemLoader(Path(__file__).parent / "templates"))
