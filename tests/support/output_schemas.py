"""The published schemas of what commands write as JSON."""

from __future__ import annotations

import functools
import json
from typing import Any

import jsonschema

from webdyno.catalog.schema import FOLDER


def published_schema(name: str) -> dict[str, Any]:
    """A schema as it stands in the package."""
    schema: dict[str, Any] = json.loads(
        (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")
    )
    return schema


def validated(name: str, text: str) -> Any:
    """The document `text`, which a command has written, after it was found to satisfy the schema;
    no number in it is NaN."""
    document = json.loads(text, parse_constant=_no_json)
    validate(name, document)
    return document


def validate(name: str, document: Any) -> None:
    """Raise `ValidationError` where `document` does not satisfy the schema `name`."""
    _validator(name).validate(document)


def _no_json(constant: str) -> Any:
    raise AssertionError(f"{constant} is no JSON")


@functools.cache
def _validator(name: str) -> jsonschema.Draft202012Validator:
    # That each schema is one takes far longer than a document does, and has a test of its own:
    # unit/cli/test_output_schemas.py.
    return jsonschema.Draft202012Validator(published_schema(name))
