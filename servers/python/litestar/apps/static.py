import os

from litestar import Litestar
from litestar.static_files import create_static_files_router

from apps import logs

app = Litestar(
    [create_static_files_router("/", directories=[os.environ["WEBDYNO_STATIC"]])],
    logging_config=logs.config,
    openapi_config=None,
)
