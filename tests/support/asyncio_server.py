"""A server of asyncio for a test: its loop runs in a thread of its own."""

from __future__ import annotations

import asyncio
import ssl
import threading
from abc import ABC, abstractmethod


class AsyncioServer(ABC):
    """Listens on a `port` of loopback, from the start to `close`. A subclass says by `_serve` what
    it does with a connection.

    Nothing of it runs in the test's own thread, where the browser's tests leave a loop running.
    """

    port: int

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(tls), self._loop).result(timeout=10)

    def close(self) -> None:
        """Stop listening, end what is being served, and wait for the thread."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @abstractmethod
    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """What a connection gets."""

    async def _listen(self, tls: ssl.SSLContext | None) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _end(self) -> None:
        self._server.close()
        serving = asyncio.all_tasks() - {asyncio.current_task()}
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
