from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from apps.database import pool
from apps.rows import read_fortunes

templates = Jinja2Templates(directory=Path(__file__).parent / "templates")
database = pool()


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with database:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/fortunes", response_class=HTMLResponse)
async def fortunes(request: Request, added: str = "") -> HTMLResponse:
    if not added:
        raise HTTPException(400, "added must be a text")
    rows = await read_fortunes(database, added)
    return templates.TemplateResponse(request, "fortunes.html", {"fortunes": rows})
