import os
from pathlib import Path

from flask import Flask, render_template

from apps.posts import Library

folder = Path(os.environ["WEBDYNO_BLOG_DATA"])
library = Library(folder)
app = Flask(__name__, static_folder=folder / "static", static_url_path="/")


@app.get("/blog")
def blog() -> str:
    return render_template("blog.html", posts=library.draw_page())
