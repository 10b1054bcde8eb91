import os

from psycopg_pool import ConnectionPool

from apps.pool import connections


def connect() -> ConnectionPool:
    """A pool of this process's connections, in autocommit mode."""
    return ConnectionPool(
        os.environ["DATABASE_URL"],
        min_size=connections(),
        max_size=connections(),
        kwargs={"autocommit": True},
        open=True,
    )
