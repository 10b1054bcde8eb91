"""Texts of a manifest that must be the name of a plugin."""

from __future__ import annotations

from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_after_validator_function

from webdyno.plugins import Plugins


class OneOf:
    """Annotates a text that must be the name of a plugin, in validation and in the JSON schema."""

    def __init__(self, plugins: Plugins[Any]) -> None:
        self.plugins = plugins

    def _check(self, name: str) -> str:
        if name not in self.plugins:
            raise ValueError(f"should be {self.plugins.choices()}")
        return name

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "string", "enum": self.plugins.names()}
