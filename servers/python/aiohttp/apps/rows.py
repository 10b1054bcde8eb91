"""What `queries`, `updates` and `fortunes` do in the database."""

import random

from psycopg_pool import AsyncConnectionPool

ROWS = 10_000
MOST = 500

READ = "SELECT id, randomnumber FROM world WHERE id = %s"
LOCK = "SELECT quantity FROM stock WHERE id = %s FOR UPDATE"
WRITE = """
    UPDATE stock SET quantity = counted.quantity
    FROM unnest(%s::int[], %s::int[]) AS counted (id, quantity) WHERE stock.id = counted.id
"""


def clamped(text: str) -> int:
    """How many rows `text` asks for."""
    if not (text.isascii() and text.isdecimal()):
        return 1
    # Python refuses to convert thousands of digits.
    return max(1, min(int(text.lstrip("0")[:4] or "0"), MOST))


async def read_worlds(database: AsyncConnectionPool, number: int) -> list[dict[str, int]]:
    """Rows of the table world, each by a query of its own; they are sent in one go."""
    async with database.connection() as connection, connection.pipeline():
        drawn = [random.randint(1, ROWS) for _ in range(number)]
        cursors = [await connection.execute(READ, [id]) for id in drawn]
        rows = [await cursor.fetchone() for cursor in cursors]
    return [{"id": id, "randomNumber": held} for id, held in rows]


async def count_items(database: AsyncConnectionPool, number: int) -> list[dict[str, int]]:
    """Counts different rows of the table stock up by one, in a transaction."""
    # Rows that are always locked in the same order cannot make transactions wait for each other.
    ids = sorted(random.sample(range(1, ROWS + 1), number))
    async with database.connection() as connection, connection.transaction():
        async with connection.pipeline():
            cursors = [await connection.execute(LOCK, [id]) for id in ids]
            quantities = [(await cursor.fetchone())[0] + 1 for cursor in cursors]
        await connection.execute(WRITE, [ids, quantities])
    return [{"id": id, "quantity": held} for id, held in zip(ids, quantities, strict=True)]


async def read_fortunes(database: AsyncConnectionPool, added: str) -> list[tuple[int, str]]:
    """The rows of the table fortune and the one added, sorted by their messages."""
    async with database.connection() as connection:
        cursor = await connection.execute("SELECT id, message FROM fortune")
        fortunes = [*await cursor.fetchall(), (0, added)]
    return sorted(fortunes, key=lambda fortune: fortune[1])
