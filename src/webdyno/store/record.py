"""The base of all records."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema

HTML: dict[type[Any], Callable[[Any], str]] = {}
"""How notebooks show records, by their class. Filled by `report.formats.notebook`, which stands
above the store and so cannot be imported here."""


class Record(BaseModel):
    """Base of all records: unknown fields are refused, so that a typo cannot lose a figure."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    def _repr_html_(self) -> str | None:
        """What a notebook shows; None where the text is all there is."""
        render = HTML.get(type(self))
        return None if render is None else render(self)


def is_none(value: object) -> bool:
    """For fields that are left out of JSON where nothing is known."""
    return value is None


def is_nothing(value: object) -> bool:
    """For fields that are left out of JSON where there is nothing to tell."""
    return not value


Amount = Annotated[float, WithJsonSchema({"type": "number", "minimum": 0})]
Count = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 0})]
"""Figures that are never below zero, as schemas tell; a record that was read is not refused."""

MOST = 1e30
"""More than any amount that can be measured, in any unit. Sums, squares and reciprocals of amounts
up to it, and from its reciprocal on, do not overflow."""


def _no_number(value: Any) -> Any:
    return math.nan if value is None else value


FigureOrNan = Annotated[
    float, BeforeValidator(_no_number), WithJsonSchema({"type": ["number", "null"]})
]
"""A figure that may be no number: JSON's null."""

Shown = list[tuple[str | None, Any]]
"""Names and values that a record's `repr` shows. Those with curves and logs leave these out: a run
would fill half a million characters."""


def known(**values: Any) -> Shown:
    """Those of `values` that hold something."""
    return [(name, value) for name, value in values.items() if value not in (None, "", [], ())]
