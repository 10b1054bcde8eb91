"""Figures that an exported run cannot have: they are not finite, below what their key allows, or
too large or too small for anything that is measured."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args, get_origin

from pydantic import BaseModel, WithJsonSchema

from webdyno.store.record import MOST


def impossible(model: type[BaseModel], held: dict[str, Any]) -> str:
    """The first figure in `held`, the JSON of a `model`, that cannot be: its key and the reason;
    empty where there is none. What is no figure, and keys that the model does not know, are not
    looked at."""
    return next(_in_record(model, held, ""), "")


@dataclass(frozen=True)
class _Allowed:
    """What a value may be: a figure, with its least; a record; a list, or a mapping, of others."""

    least: float | None
    records: tuple[type[BaseModel], ...]
    items: _Allowed | None
    values: _Allowed | None


@cache
def _shapes(model: type[BaseModel]) -> dict[str, _Allowed]:
    """By the keys of its JSON."""
    return {
        field.serialization_alias or name: _shape((field.annotation, *field.metadata))
        for name, field in model.model_fields.items()
    }


def _shape(kinds: Iterable[Any]) -> _Allowed:
    parts = list(_parts(kinds))
    bounds = [part.json_schema or {} for part in parts if isinstance(part, WithJsonSchema)]
    items = [one for p in parts if get_origin(p) in (list, tuple) for one in get_args(p)]
    values = [one for part in parts if get_origin(part) is dict for one in get_args(part)[1:]]
    return _Allowed(
        max((bound["minimum"] for bound in bounds if "minimum" in bound), default=None),
        tuple(part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)),
        _shape(items) if items else None,
        _shape(values) if values else None,
    )


def _parts(kinds: Iterable[Any]) -> Iterator[Any]:
    """The annotations, with the members of unions and what `Annotated` adds."""
    for kind in kinds:
        yield kind
        if get_origin(kind) not in (list, tuple, dict):
            yield from _parts(get_args(kind))


def _in_record(model: type[BaseModel], held: dict[str, Any], where: str) -> Iterator[str]:
    for key, shape in _shapes(model).items():
        if key in held:
            yield from _in_value(shape, held[key], f"{where}{key}")


def _in_value(shape: _Allowed, value: Any, where: str) -> Iterator[str]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not abs(value) <= sys.float_info.max:  # Nor is one that is none.
            yield f"{where} is {value!s:.40}, which is not a valid figure"
        elif shape.least is not None and value < shape.least:
            yield f"{where} is {value:g}, below {shape.least:g}"
        elif shape.least is not None and value and not 1 / MOST <= abs(value) <= MOST:
            yield f"{where} is {value:g}, which nothing that is measured can be"
    elif isinstance(value, str) and shape.least is not None:
        yield f"{where} is {value!r:.40}, which is not a valid figure"
    elif isinstance(value, dict):
        for record in shape.records:
            yield from _in_record(record, value, f"{where}.")
        if shape.values:
            for name, one in value.items():
                yield from _in_value(shape.values, one, f"{where}.{name}")
    elif isinstance(value, list) and shape.items:
        for index, one in enumerate(value):
            yield from _in_value(shape.items, one, f"{where}[{index}]")
