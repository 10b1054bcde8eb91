import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from psycopg_pool import AsyncConnectionPool

from apps.pool import connections


def pool() -> AsyncConnectionPool:
    """A pool of this process's connections, in autocommit mode; not open yet."""
    return AsyncConnectionPool(
        os.environ["DATABASE_URL"],
        min_size=connections(),
        max_size=connections(),
        kwargs={"autocommit": True},
        open=False,
    )


database = pool()


@asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
    async with database:
        yield
