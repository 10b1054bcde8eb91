from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from psycopg.rows import dict_row
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.templating import Jinja2Templates

from apps.database import pool

templates = Jinja2Templates(directory=Path(__file__).parent / "templates")
database = pool()


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    async with database:
        yield


async def page(request: Request) -> Response:
    async with database.connection() as connection:
        rows = connection.cursor(row_factory=dict_row)
        await rows.execute("SELECT title, author, summary FROM articles ORDER BY number")
        articles = await rows.fetchall()
    return templates.TemplateResponse(request, "page.html", {"articles": articles})


app = Starlette(routes=[Route("/page", page)], lifespan=lifespan)
