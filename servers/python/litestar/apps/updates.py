from litestar import Litestar, post
from litestar.params import FromQuery

from apps import logs
from apps.database import database, lifespan
from apps.rows import clamped, count_items


@post("/updates", status_code=200)
async def updates(n: FromQuery[str] = "") -> list[dict[str, int]]:
    return await count_items(database, clamped(n))


app = Litestar([updates], lifespan=[lifespan], logging_config=logs.config, openapi_config=None)
