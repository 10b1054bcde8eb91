"""What the applications share: pages by Jinja2, since Falcon has no templates of its own."""

from typing import Any

import falcon
from jinja2 import Environment, PackageLoader, Template

_pages = Environment(loader=PackageLoader("apps"), autoescape=True)


def template(name: str) -> Template:
    """The template of that file, compiled."""
    return _pages.get_template(name)


def answer_page(resp: falcon.Response, page: Template, **shown: Any) -> None:
    """Answer with `page`, rendered."""
    resp.content_type = falcon.MEDIA_HTML
    resp.text = page.render(shown)
