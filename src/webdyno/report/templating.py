"""The templates of the reports, and what stands beside them in the same folder."""

from __future__ import annotations

import re
from importlib.resources import files

import jinja2
from markupsafe import Markup


def environment() -> jinja2.Environment:
    """A new environment over the reports' templates, to which filters may be added.

    It escapes everything: names, logs and errors are other people's text. A name that a template
    asks for in vain is an error, instead of nothing.
    """
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("webdyno.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["breakable"] = breakable
    return made


def breakable(name: str) -> Markup:
    """A server's name that a narrow column breaks before its variant or its framework, not within
    a word."""
    return Markup("<wbr>").join(re.split(r"(?=@)|(?<=/)", name))


def asset(name: str) -> str:
    """The text of the file `name` among the templates, as it stands: a style or a script."""
    return files("webdyno.report").joinpath("templates", name).read_text(encoding="utf-8")
