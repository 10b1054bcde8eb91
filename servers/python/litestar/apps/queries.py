from litestar import Litestar, get
from litestar.params import FromQuery

from apps import logs
from apps.database import database, lifespan
from apps.rows import clamped, read_worlds


@get("/queries")
async def queries(n: FromQuery[str] = "") -> list[dict[str, int]]:
    return await read_worlds(database, clamped(n))


app = Litestar([queries], lifespan=[lifespan], logging_config=logs.config, openapi_config=None)
