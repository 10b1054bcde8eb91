"""Rows of the table world, each kept for a time."""

import os
import random
import time
from collections.abc import Iterable

from psycopg_pool import AsyncConnectionPool

from apps.rows import READ

ROWS = 100


class WorldCache:
    """Keeps each row for WEBDYNO_TTL_MS milliseconds after it was asked for."""

    def __init__(self, database: AsyncConnectionPool) -> None:
        self.database = database
        self.ttl_s = int(os.environ.get("WEBDYNO_TTL_MS", "500")) / 1000
        self.kept: dict[int, tuple[float, dict[str, int]]] = {}

    async def read(self, number: int) -> list[dict[str, int]]:
        """Rows drawn at random, from the cache as far as it has them."""
        drawn = random.choices(range(1, ROWS + 1), k=number)
        now = time.monotonic()
        held = {id: row for id in set(drawn) if (row := self.held(id, now)) is not None}
        if missing := set(drawn) - held.keys():
            held |= await self.fetch(missing, now)
        return [held[id] for id in drawn]

    def held(self, id: int, now: float) -> dict[str, int] | None:
        """The row of `id`, unless it is too old."""
        until, row = self.kept.get(id, (now, {}))
        return row if now < until else None

    async def fetch(self, ids: Iterable[int], now: float) -> dict[int, dict[str, int]]:
        """Reads rows, each by a query of its own; they are sent in one go."""
        async with self.database.connection() as connection, connection.pipeline():
            cursors = [await connection.execute(READ, [id]) for id in ids]
            rows = [await cursor.fetchone() for cursor in cursors]
        found = {id: {"id": id, "randomNumber": held} for id, held in rows}
        self.kept |= {id: (now + self.ttl_s, row) for id, row in found.items()}
        return found
