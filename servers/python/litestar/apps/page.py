from litestar import Litestar, get
from litestar.response import Template
from psycopg.rows import dict_row

from apps import logs, pages
from apps.database import database, lifespan


@get("/page")
async def page() -> Template:
    async with database.connection() as connection:
        rows = connection.cursor(row_factory=dict_row)
        await rows.execute("SELECT title, author, summary FROM articles ORDER BY number")
        articles = await rows.fetchall()
    return Template("page.html", context={"articles": articles})


app = Litestar(
    [page],
    lifespan=[lifespan],
    template_config=pages.config,
    logging_config=logs.config,
    openapi_config=None,
)
