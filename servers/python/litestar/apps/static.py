import os

from litestar import Litestar
from litestar.static_files import create_static_files_router

app = Litestar(
    [create_static_files_router("/", directories=[os.environ["WEBDYNO_STATIC"]])],
    openapi_config=None,
)
