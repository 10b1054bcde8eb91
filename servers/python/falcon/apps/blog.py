import os
from pathlib import Path

import falcon

from apps.application import answer_page, template
from apps.posts import Library

folder = Path(os.environ["WEBDYNO_BLOG_DATA"])
library = Library(folder)
page = template("blog.html")


class Blog:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        answer_page(resp, page, posts=library.draw_page())


app = falcon.App()
app.add_route("/blog", Blog())
app.add_static_route("/images", folder / "static" / "images")
app.add_static_route("/css", folder / "static" / "css")
