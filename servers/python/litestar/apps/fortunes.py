from litestar import Litestar, get
from litestar.exceptions import ClientException
from litestar.params import FromQuery
from litestar.response import Template

from apps import logs, pages
from apps.database import database, lifespan
from apps.rows import read_fortunes


@get("/fortunes")
async def fortunes(added: FromQuery[str] = "") -> Template:
    if not added:
        raise ClientException("added must be a text")
    rows = await read_fortunes(database, added)
    return Template("fortunes.html", context={"fortunes": rows})


app = Litestar(
    [fortunes],
    lifespan=[lifespan],
    template_config=pages.config,
    logging_config=logs.config,
    openapi_config=None,
)
