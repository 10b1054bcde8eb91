"""Jinja, as Litestar sets it up."""

from pathlib import Path

from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template.config import TemplateConfig

config = TemplateConfig(directory=Path(__file__).parent / "templates", engine=JinjaTemplateEngine)
