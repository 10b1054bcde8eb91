import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from apps.pool import connections


class OneConnection:
    """One connection of this process for all of its requests, whose statements take turns on it.

    It is opened and used as the pool is.
    """

    async def __aenter__(self) -> Self:
        url = os.environ["DATABASE_URL"]
        self._shared = await AsyncConnection.connect(url, autocommit=True)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._shared.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection]:
        yield self._shared


def pool() -> AsyncConnectionPool:
    """A pool of this process's connections, in autocommit mode unless TRANSACTIONS is set; not
    open yet.
    """
    return AsyncConnectionPool(
        os.environ["DATABASE_URL"],
        min_size=connections(),
        max_size=connections(),
        kwargs={"autocommit": not os.environ.get("TRANSACTIONS")},
        open=False,
    )
