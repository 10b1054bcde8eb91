import os
from pathlib import Path

from litestar import Litestar, get
from litestar.response import Template
from litestar.static_files import create_static_files_router

from apps import logs, pages
from apps.posts import Library

folder = Path(os.environ["WEBDYNO_BLOG_DATA"])
library = Library(folder)


@get("/blog")
async def blog() -> Template:
    return Template("blog.html", context={"posts": library.draw_page()})


app = Litestar(
    [
        blog,
        create_static_files_router("/images", directories=[folder / "static" / "images"]),
        create_static_files_router("/css", directories=[folder / "static" / "css"]),
    ],
    template_config=pages.config,
    logging_config=logs.config,
    openapi_config=None,
)
