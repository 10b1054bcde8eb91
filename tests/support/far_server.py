"""A small HTTP server at one address, for tests across machines: `far_server.py ADDRESS PORT`.

`/DELAY_MS/BYTES` answers after so long with a body of so many bytes.
"""

from __future__ import annotations

import asyncio
import sys


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    loop = asyncio.get_running_loop()
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            arrived_s = loop.time()
            _, delay_ms, size = head.split(b" ", 2)[1].split(b"/")
            head = b"HTTP/1.1 200 OK\r\nContent-Length: " + size + b"\r\n\r\n"
            await asyncio.sleep(int(delay_ms) / 1e3 - (loop.time() - arrived_s))
            writer.write(head + bytes(int(size)))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, sys.argv[1], int(sys.argv[2]), backlog=1024)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
