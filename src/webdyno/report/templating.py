"""The templates of the reports, and what stands beside them in the same folder."""

from __future__ import annotations

from importlib.resources import files

import jinja2


def environment() -> jinja2.Environment:
    """A new environment over the reports' templates, to which filters may be added.

    It escapes everything: names, logs and errors are other people's text. A name that a template
    asks for in vain is an error, instead of nothing.
    """
    return jinja2.Environment(
        loader=jinja2.PackageLoader("webdyno.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def asset(name: str) -> str:
    """The text of the file `name` among the templates, as it stands: a style or a script."""
    return files("webdyno.report").joinpath("templates", name).read_text(encoding="utf-8")
