from uvicorn_worker import UvicornWorker


class Worker(UvicornWorker):
    # Django's handler takes no part in the lifespan protocol; asking it costs a warning.
    CONFIG_KWARGS = {"lifespan": "off", "access_log": False}  # noqa: RUF012
