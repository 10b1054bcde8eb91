from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates
from psycopg.rows import dict_row

from apps.database import pool

templates = Jinja2Templates(directory=Path(__file__).parent / "templates")
database = pool()


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with database:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/page", response_class=HTMLResponse)
async def page(request: Request) -> HTMLResponse:
    async with database.connection() as connection:
        rows = connection.cursor(row_factory=dict_row)
        await rows.execute("SELECT title, author, summary FROM articles ORDER BY number")
        articles = await rows.fetchall()
    return templates.TemplateResponse(request, "page.html", {"articles": articles})
