"""The JSON Schema of a document, made from its type."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema


class Untitled(GenerateJsonSchema):
    """Without titles of fields: each would be the key once more."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No."""
        del schema
        return False


class _Whole(Untitled):
    """Of documents that always hold all of their keys, but for those that say when not."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Whether it is always there."""
        del total
        return field.get("serialization_exclude_if") is None


def schema_of(
    name: str, kind: Any, about: str, since: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) `name` of the documents of type `kind`; `about` says what
    they are.

    Every key is required that today's documents always hold, but for those in `since`, by the name
    of their class: keys that came after the first version of the format.
    """
    made = TypeAdapter(kind).json_schema(mode="serialization", schema_generator=_Whole)
    classes = {**made.get("$defs", {}), made.get("title", ""): made}
    for title, keys in (since or {}).items():
        required = classes[title]["required"]
        classes[title]["required"] = [key for key in required if key not in keys]
    made.pop("description", None)
    made.pop("title", None)
    return {
        "$schema": Untitled.schema_dialect,
        "$id": f"urn:webdyno:schema:{name}",
        "description": about,
        **opened(made),
    }


def opened(schema: Any) -> Any:
    """A schema without what forbids more keys: they may be added. It tells of JSON alone."""
    if isinstance(schema, dict):
        return {
            key: _of_json(value)
            if key == "description" and isinstance(value, str)
            else opened(value)
            for key, value in schema.items()
            if not (key == "additionalProperties" and value is False)
        }
    return [opened(one) for one in schema] if isinstance(schema, list) else schema


def _of_json(text: str) -> str:
    """What a class says of itself, for readers of JSON: None and what is infinite are null there,
    and no other class is to be seen."""
    for python, json in _WORDS.items():
        text = re.sub(python, json, text)
    return text


_WORDS = {r"\bNone\b": "null", r"\binfinite where\b": "null where", r"; see `\w+\.[\w.]+`[^.]*": ""}
