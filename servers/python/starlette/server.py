"""Serves the application that WEBDYNO_SCENARIO names with uvicorn."""

import os
import sys
from typing import NoReturn

import uvicorn

# The variables that each scenario's application reads when a worker imports it.
NEEDS = {
    "hello": (),
    "json": (),
    "blog": ("WEBDYNO_BLOG_DATA",),
    "sha256": ("WEBDYNO_FILE",),
    "session-counter": ("DATABASE_URL", "WEBDYNO_SECRET"),
    "page": ("DATABASE_URL",),
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

    uvicorn.run(
        f"apps.{scenario.replace('-', '_')}:app",
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        # As many workers as WEB_CONCURRENCY says: uvicorn reads it itself.
        loop="uvloop",
        http="httptools",
        access_log=False,
        server_header=False,  # A name that nobody asked for, as in the servers beside it.
        # Longer than the 60 s usual in proxies, so that it is the client who closes first and no
        # request meets a connection that is just being closed.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=2,
    )


if __name__ == "__main__":
    main()
