import os

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
