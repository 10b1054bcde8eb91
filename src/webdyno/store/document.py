"""What commands write as JSON: records and dataclasses, whose types write and describe it.

`store.document_schema` makes their JSON Schemas; `cli.schemas` lists them all.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, PlainSerializer, TypeAdapter, WithJsonSchema, with_config

from webdyno.store.record import Record

described = with_config(ConfigDict(use_attribute_docstrings=True))
"""Marks a dataclass that documents hold: what is said below a field describes its key."""

Moment = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat, return_type=str),
    WithJsonSchema(
        {"type": "string", "format": "date-time", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d"}
    ),
]
"""UTC."""


class Document(Record):
    """The whole of what a command writes as JSON."""


def plain(document: Any) -> Any:
    """A document, or a list of them, ready for JSON: a number that is none, or infinite, is null.

    A dataclass is one as well.
    """
    if isinstance(document, list):
        return [plain(one) for one in document]
    return json.loads(TypeAdapter(type(document)).dump_json(document, by_alias=True))


def written(document: Any) -> str:
    """A document as its file holds it."""
    return json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def printed(document: Any) -> str:
    """A document as it is printed, in ASCII: a terminal or a pipe may be of any encoding."""
    return json.dumps(plain(document), indent=2, allow_nan=False)
