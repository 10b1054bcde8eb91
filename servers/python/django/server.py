"""Serves Django with Granian instead of gunicorn, by ASGI or by WSGI."""

import os
import runpy
from pathlib import Path
from typing import Any

from granian import Granian
from granian.constants import Interfaces, Loops


def main() -> None:
    # It refuses a wrong start, and says how many workers there are and how many threads each has.
    gunicorn = runpy.run_path(str(Path(__file__).with_name("gunicorn.conf.py")))
    # Workers divide the database connections among them.
    os.environ["WEB_CONCURRENCY"] = str(gunicorn["workers"])
    Granian(
        gunicorn["wsgi_app"],
        address=os.environ.get("HOST", "127.0.0.1"),
        port=int(os.environ["PORT"]),
        workers=gunicorn["workers"],
        loop=Loops.uvloop,
        log_access="accesslog" in gunicorn,
        workers_kill_timeout=2,
        **interface(gunicorn),
    ).serve()


def interface(gunicorn: dict[str, Any]) -> dict[str, Any]:
    if os.environ.get("DJANGO_SERVER") == "wsgi":
        return {"interface": Interfaces.WSGI, "blocking_threads": gunicorn["threads"]}
    # Django's handler takes no part in the lifespan protocol.
    return {"interface": Interfaces.ASGINL}


if __name__ == "__main__":
    main()
