import os

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

# Without the pages that describe an API: there is none.
app = FastAPI(openapi_url=None)
app.mount("/", StaticFiles(directory=os.environ["WEBDYNO_STATIC"]))
