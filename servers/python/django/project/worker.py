import os

from uvicorn_worker import UvicornWorker


class Worker(UvicornWorker):
    # Django's handler takes no part in the lifespan protocol; asking it costs a warning.
    CONFIG_KWARGS = {  # noqa: RUF012
        "lifespan": "off",
        "server_header": False,  # A name that nobody asked for, as in the servers beside it.
        "access_log": bool(os.environ.get("ACCESS_LOG")),
    }
