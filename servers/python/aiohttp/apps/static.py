import os

from aiohttp import web

app = web.Application()
app.add_routes([web.static("/", os.environ["WEBDYNO_STATIC"])])
