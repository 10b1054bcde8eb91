import os
import random
from collections.abc import Iterable
from datetime import timedelta

from litestar import Litestar, get
from litestar.params import FromQuery
from litestar.stores.memory import MemoryStore

from apps import logs
from apps.database import database, lifespan
from apps.rows import READ, clamped

ROWS = 100
KEPT = timedelta(milliseconds=int(os.environ.get("WEBDYNO_TTL_MS", "500")))

store = MemoryStore()


@get("/cached")
async def cached(n: FromQuery[str] = "") -> list[dict[str, int]]:
    drawn = random.choices(range(1, ROWS + 1), k=clamped(n))
    numbers = {id: await store.get(str(id)) for id in set(drawn)}
    if missing := [id for id, held in numbers.items() if held is None]:
        numbers |= await fetch(missing)
    return [{"id": id, "randomNumber": int(numbers[id])} for id in drawn]


async def fetch(ids: Iterable[int]) -> dict[int, str]:
    """Reads the numbers of rows, each by a query of its own, and keeps them."""
    async with database.connection() as connection, connection.pipeline():
        cursors = [await connection.execute(READ, [id]) for id in ids]
        rows = [await cursor.fetchone() for cursor in cursors]
    found = {id: str(number) for id, number in rows}
    for id, number in found.items():
        await store.set(str(id), number, expires_in=KEPT)
    return found


app = Litestar([cached], lifespan=[lifespan], logging_config=logs.config, openapi_config=None)
