"""Tables of the keys of a manifest, as Markdown, from the model that reads it."""

from __future__ import annotations

import json
import textwrap
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, WithJsonSchema
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from webdyno.catalog.servers.program import Argv
from webdyno.catalog.terms.one_of import OneOf

WIDTH = 100
REQUIRED = "A key without a default must be given."
DURATIONS = "Durations are written `500ms`, `10s`, `2m`"
WRITTEN = f"""\
{DURATIONS}; rates `150/s`, `2k/s`, `600/min`; sizes `150MB`, `8GB`.
{REQUIRED}"""
COMMANDS = """\
A *command* is a line such as `"npm run build"`, which a shell reads if it needs one, or a list of a
program and its arguments. A *table* has names of your own as keys, or those of a section below."""


class KeySection(NamedTuple):
    """The keys of one table of a manifest."""

    title: str
    model: type[BaseModel]
    more: str = ""
    """What is said below its keys."""
    told_above: type[BaseModel] | None = None
    """A model that it extends, whose keys have a section of their own."""
    defaults: Mapping[str, str] = MappingProxyType({})
    """What holds where one of these keys is left out, if its model does not say it."""


class KindsSection(NamedTuple):
    """Tables that differ by their key `kind`, each in a line."""

    title: str
    models: Sequence[type[BaseModel]]
    before: str = ""
    more: str = ""


class KeyPage(NamedTuple):
    """The reference of a manifest."""

    file: str
    head: str
    sections: Sequence[KeySection | KindsSection]
    tail: str = ""


def rendered(page: KeyPage) -> str:
    """The page, as Markdown."""
    parts = [page.head]
    for section in page.sections:
        lines = _of_kinds(section) if isinstance(section, KindsSection) else _of_table(section)
        more = f"\n\n{section.more}" if section.more else ""
        parts.append("\n".join([f"## {section.title}", "", *lines]) + more + "\n")
    return "\n".join([*parts, *([page.tail] if page.tail else [])])


def _of_table(section: KeySection) -> list[str]:
    above = section.told_above.model_fields if section.told_above else {}
    lines = [wrapped(section.model.__doc__ or ""), ""]
    lines += ["| key | value | default | meaning |", "|---|---|---|---|"]
    fields = section.model.model_fields.items()
    lines += [
        row(key, one, section.defaults.get(key, ""))
        for key, one in fields
        if key not in above and not _is_fixed(key, one)
    ]
    return lines


def _is_fixed(key: str, field: FieldInfo) -> bool:
    """Whether the key says of which kind its table is, as the section's title does."""
    return key == "kind" and len(typing.get_args(field.annotation)) == 1


def _of_kinds(section: KindsSection) -> list[str]:
    lines = [wrapped(section.before), ""] if section.before else []
    lines += ["| kind | meaning | keys |", "|---|---|---|"]
    for model in section.models:
        kinds = typing.get_args(model.model_fields["kind"].annotation)
        keys = [_brief(key, one) for key, one in model.model_fields.items() if key != "kind"]
        meaning = " ".join((model.__doc__ or "").split())
        lines.append(_cells(f"`{kinds[0]}`", meaning, "; ".join(keys)))
    return lines


def wrapped(text: str, indent: str = "") -> str:
    """`text` as a paragraph, or as the item of a list whose further lines begin with `indent`."""
    return textwrap.fill(
        " ".join(text.split()), WIDTH, subsequent_indent=indent, break_on_hyphens=False
    )


def row(key: str, field: FieldInfo, if_left_out: str = "") -> str:
    """One key as a line of a table."""
    return _cells(f"`{key}`", kind(field), if_left_out or default(field), field.description or "")


def _brief(key: str, field: FieldInfo) -> str:
    """One key in a cell, beside others."""
    told = f"`{key}`: {kind(field)}"
    told += "" if field.is_required() else f", default {default(field)}"
    return f"{told} ({field.description})" if field.description else told


def _cells(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def default(field: FieldInfo) -> str:
    """What holds where the key is left out, as TOML would say it."""
    if field.default_factory is not None:
        made = field.get_default(call_default_factory=True)
        return f"`{json.dumps(made)}`" if made else "none"
    if isinstance(field.default, BaseModel):
        return "those below"
    if field.default is PydanticUndefined:
        return "–"
    if field.default is None or field.default == "":
        return "none"
    if kind(field) == "duration":
        return f'`"{field.default:g}s"`'
    return f"`{json.dumps(field.default)}`"


def kind(field: FieldInfo) -> str:
    """What is to be written, in a word or as the choices there are."""
    if any(
        "duration" in str(getattr(m, "func", "")) or "_seconds" in str(m) for m in field.metadata
    ):
        return "duration"
    if _is_command(field.metadata):
        return "command"
    several = " or list" if any(map(_takes_list, field.metadata)) else ""
    return _one_of(field.metadata) or _kind(field.annotation) + several


def _is_command(metadata: Iterable[Any]) -> bool:
    """Whether these are the marks of a command, which is a line or a list."""
    reads = [one for one in typing.get_args(Argv) if isinstance(one, BeforeValidator)]
    return any(one in reads for one in metadata)


def _takes_list(metadata: Any) -> bool:
    """Whether a file may have a list where its field has a single value."""
    if not isinstance(metadata, WithJsonSchema):
        return False
    choices = (metadata.json_schema or {}).get("anyOf", [])
    return any(one.get("type") == "array" for one in choices)


def _one_of(metadata: Iterable[Any]) -> str:
    """The names of the plugins that a text must be one of; empty where it may be any."""
    found = next((one.plugins.names() for one in metadata if isinstance(one, OneOf)), [])
    return " or ".join(f'`"{name}"`' for name in found)


def _kind(annotation: Any) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return " or ".join(f"`{json.dumps(one)}`" for one in arguments if one != "")
    if origin is typing.Annotated:
        if "_seconds" in str(arguments[1:]):
            return "duration"
        if _is_command(arguments[1:]):
            return "command"
        return _one_of(arguments[1:]) or _kind(arguments[0])
    if origin in (typing.Union, types.UnionType):
        named = [_kind(one) for one in arguments if one is not type(None)]
        return " or ".join(dict.fromkeys(named))
    if origin is list:
        return f"list of {_kind(arguments[0])}"
    plain = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    return plain.get(annotation, "table")
