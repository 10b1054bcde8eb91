import os
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from apps.posts import Library

folder = Path(os.environ["WEBDYNO_BLOG_DATA"])
library = Library(folder)
templates = Jinja2Templates(directory=Path(__file__).parent / "templates")


async def blog(request: Request) -> Response:
    return templates.TemplateResponse(request, "blog.html", {"posts": library.draw_page()})


app = Starlette(
    routes=[
        Route("/blog", blog),
        Mount("/images", StaticFiles(directory=folder / "static" / "images")),
        Mount("/css", StaticFiles(directory=folder / "static" / "css")),
    ]
)
