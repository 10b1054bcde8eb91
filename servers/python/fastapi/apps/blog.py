import os
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates

from apps.posts import Library

folder = Path(os.environ["WEBDYNO_BLOG_DATA"])
library = Library(folder)
templates = Jinja2Templates(directory=Path(__file__).parent / "templates")
app = FastAPI()


@app.get("/blog", response_class=HTMLResponse)
async def blog(request: Request) -> HTMLResponse:
    return templates.TemplateResponse(request, "blog.html", {"posts": library.draw_page()})


app.mount("/images", StaticFiles(directory=folder / "static" / "images"))
app.mount("/css", StaticFiles(directory=folder / "static" / "css"))
