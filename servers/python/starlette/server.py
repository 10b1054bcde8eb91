"""Serves the application that WEBDYNO_SCENARIO names with uvicorn, or with Granian."""

import os
import sys
from typing import NoReturn

# The variables that each scenario's application reads when a worker imports it.
NEEDS = {
    "hello": (),
    "middleware": ("WEBDYNO_MIDDLEWARE",),
    "json": (),
    "blog": ("WEBDYNO_BLOG_DATA",),
    "static": ("WEBDYNO_STATIC",),
    "sha256": ("WEBDYNO_FILE",),
    "upload": (),
    "stream": (),
    "sse": (),
    "websocket-echo": (),
    "session-counter": ("DATABASE_URL", "WEBDYNO_SECRET"),
    "page": ("DATABASE_URL",),
    "queries": ("DATABASE_URL",),
    "updates": ("DATABASE_URL",),
    "fortunes": ("DATABASE_URL",),
    "cached": ("DATABASE_URL",),
    "point-lookup": ("MYSQL_HOST", "MYSQL_PORT", "MYSQL_USER", "MYSQL_DATABASE", "WEBDYNO_SKUS"),
}


def refuse(message: str) -> NoReturn:
    print(f"server: {message}", file=sys.stderr)
    sys.exit(2)


def main() -> None:
    scenario = os.environ.get("WEBDYNO_SCENARIO", "")
    if scenario not in NEEDS:
        known = ", ".join(sorted(NEEDS))
        refuse(f"unknown WEBDYNO_SCENARIO {scenario!r}: set it to one of {known}")
    for name in ("PORT", *NEEDS[scenario]):
        if not os.environ.get(name):
            refuse(f"the environment variable {name} is not set")

    if {"DATABASE_URL", "MYSQL_HOST"} & {*NEEDS[scenario]}:
        # Each worker holds a connection at least. Workers divide the connections among them.
        workers = int(os.environ.get("WEB_CONCURRENCY", "1"))
        workers = min(workers, int(os.environ.get("WEBDYNO_POOL", "16")))
        os.environ["WEB_CONCURRENCY"] = str(workers)

    serve = by_granian if os.environ.get("ASGI_SERVER") == "granian" else by_uvicorn
    serve(f"apps.{scenario.replace('-', '_')}:app", int(os.environ["PORT"]))


def by_uvicorn(app: str, port: int) -> None:
    import uvicorn

    uvicorn.run(
        app,
        host=os.environ.get("HOST", "127.0.0.1"),
        port=port,
        # As many workers as WEB_CONCURRENCY says: uvicorn reads it itself.
        loop="uvloop",
        http="httptools",
        access_log=bool(os.environ.get("ACCESS_LOG")),
        server_header=False,  # A name that nobody asked for, as in the servers beside it.
        # Longer than the 60 s usual in proxies, so that it is the client who closes first and no
        # request meets a connection that is just being closed.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=2,
    )


def by_granian(app: str, port: int) -> None:
    from granian import Granian
    from granian.constants import Interfaces, Loops

    Granian(
        app,
        address=os.environ.get("HOST", "127.0.0.1"),
        port=port,
        interface=Interfaces.ASGI,
        workers=int(os.environ["WEB_CONCURRENCY"]),
        loop=Loops.uvloop,
        log_access=False,
        workers_kill_timeout=2,
    ).serve()


if __name__ == "__main__":
    main()
