import os

import falcon

app = falcon.App()
app.add_static_route("/", os.environ["WEBDYNO_STATIC"])
