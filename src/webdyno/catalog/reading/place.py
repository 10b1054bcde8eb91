"""Where in a manifest a fault is: the key as the file has it, and the part that it belongs to.

Pydantic names the way through its models. Where a part may be of several kinds, that way has the
kind in it, which no file has there.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Discriminator, Tag
from pydantic.fields import FieldInfo

OF_A_KEY = "[key]"
"""What pydantic adds where the name of an entry is wrong, not its value."""


@dataclass(frozen=True)
class ManifestPlace:
    """A place in a manifest. `key` leads to it from the top, or from the entry of a list that it
    is in; `entry` is that one, as a file has it, such as `the first [[loads]]`, and empty where
    there is none. `kind`: of the part there, where it is one of several."""

    key: str
    annotation: Any
    kind: str = ""
    entry: str = ""

    def named(self, key: str = "") -> str:
        """The place, or its part called `key`, as a message names it; empty for the whole file."""
        full = ".".join(filter(None, (self.key, key)))
        if not full:
            return self.entry
        return f"key '{full}'" + (f" in {self.entry}" if self.entry else "")

    def keys(self) -> list[str]:
        """The keys that the part here may have; none where it is no table of known keys."""
        if not _is_model(self.annotation):
            return []
        fields = self.annotation.model_fields.items()
        return sorted(field.alias or name for name, field in fields)

    def kinds(self) -> list[str]:
        """The kinds of which the part here may be."""
        return [name for member in _members(self.annotation) for name in _tags(member)]


def place_of(model: type[BaseModel], loc: tuple[int | str, ...]) -> ManifestPlace:
    """The place to which pydantic's `loc` leads in `model`."""
    key: list[str] = []
    lists: list[str] = []
    entry, kind = "", ""
    annotation: Any = model
    for part in loc:
        annotation = _plain(annotation)
        members = _members(annotation)
        if members:  # Of several kinds: this part is none of the file's, but says of which.
            annotation = next((one for one in members if part in _tags(one)), None)
            kind = str(part) if _is_told_by_kind(annotation, part) else ""
            continue
        if part == OF_A_KEY:
            continue
        annotation, kind = _inner(annotation, part), ""
        if isinstance(part, int):
            lists, key = [*lists, *key], []
            name = ".".join(lists)
            this = f"[[{name}]]" if _is_of_tables(annotation) else f"of '{name}'"
            entry = f"the {ordinal(part + 1)} {this}" + (f" in {entry}" if entry else "")
        else:
            key.append(part)
    return ManifestPlace(".".join(key), _plain(annotation), kind, entry)


def _is_of_tables(annotation: Any) -> bool:
    """Whether what is described so is mostly written as a table."""
    plain = _plain(annotation)
    return any(map(_is_model, map(_plain, _members(plain) or [plain])))


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def ordinal(number: int) -> str:
    """`first`, `tenth`: as people count the tables of a file."""
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def _plain(annotation: Any) -> Any:
    """Without what only describes it, and without `None`."""
    while True:
        if get_origin(annotation) is Annotated:
            base, *notes = get_args(annotation)
            if any(isinstance(n, Discriminator) or _discriminates(n) for n in notes):
                return base
            annotation = base
        elif _is_union(annotation):
            left = [one for one in get_args(annotation) if one is not type(None)]
            if len(left) != 1:
                return annotation
            annotation = left[0]
        else:
            return annotation


def _discriminates(note: Any) -> bool:
    return isinstance(note, FieldInfo) and note.discriminator is not None


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, UnionType)


def _members(annotation: Any) -> list[Any]:
    return list(get_args(annotation)) if _is_union(annotation) else []


def _tags(member: Any) -> list[str]:
    """The words by which pydantic tells this member of a union from the others."""
    if get_origin(member) is Annotated:
        base, *notes = get_args(member)
        return [note.tag for note in notes if isinstance(note, Tag)] or _tags(base)
    if _is_model(member):
        kind = member.model_fields.get("kind")
        if kind is not None and get_origin(kind.annotation) is Literal:
            return [str(name) for name in get_args(kind.annotation)]
    return [getattr(member, "__name__", str(member))]


def _is_told_by_kind(member: Any, part: int | str) -> bool:
    return _is_model(member) and "kind" in member.model_fields and part in _tags(member)


def _inner(annotation: Any, part: int | str) -> Any:
    """The annotation of the part called `part`; None where there is none."""
    if _is_model(annotation):
        fields = annotation.model_fields
        field = fields.get(str(part)) or next(
            (one for one in fields.values() if one.alias == part), None
        )
        return field.annotation if field else None
    arguments = get_args(annotation)
    if get_origin(annotation) is dict:
        return arguments[1]
    return arguments[0] if arguments and get_origin(annotation) in (list, tuple) else None


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
