from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.templating import Jinja2Templates

from apps.database import pool
from apps.rows import read_fortunes

templates = Jinja2Templates(directory=Path(__file__).parent / "templates")
database = pool()


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    async with database:
        yield


async def fortunes(request: Request) -> Response:
    added = request.query_params.get("added", "")
    if not added:
        raise HTTPException(400, "added must be a text")
    rows = await read_fortunes(database, added)
    return templates.TemplateResponse(request, "fortunes.html", {"fortunes": rows})


app = Starlette(routes=[Route("/fortunes", fortunes)], lifespan=lifespan)
