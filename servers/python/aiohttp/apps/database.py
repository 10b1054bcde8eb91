import os
from collections.abc import AsyncIterator

from aiohttp import web
from psycopg_pool import AsyncConnectionPool

from apps.pool import connections

DATABASE = web.AppKey("database", AsyncConnectionPool)


async def database(app: web.Application) -> AsyncIterator[None]:
    """A pool of this process's connections, in autocommit mode, while the application runs."""
    async with AsyncConnectionPool(
        os.environ["DATABASE_URL"],
        min_size=connections(),
        max_size=connections(),
        kwargs={"autocommit": True},
        open=False,
    ) as pool:
        app[DATABASE] = pool
        yield
