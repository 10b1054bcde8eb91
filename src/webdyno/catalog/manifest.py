"""What all manifests share: TOML in, a strict typed model out, one clear line when it is wrong."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from webdyno.errors import UserError
from webdyno.printable import printable
from webdyno.regular_file import text_of

Model = TypeVar("Model", bound=BaseModel)


class Manifest(BaseModel):
    """Base of every part of a manifest: frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


@contextmanager
def validating() -> Iterator[None]:
    """For validators: a `UserError` within is raised as the `ValueError` that pydantic takes for a
    fault of the field."""
    try:
        yield
    except UserError as error:
        raise ValueError(str(error)) from None


MOST_BYTES = 200_000
"""Of a manifest, twenty times what the largest of ours has: to read any size could take minutes."""

MOST_PARTS = 50
"""Of a key such as `a.b.c`, for which the parser's time grows with their square."""


def read_manifest(path: Path, model: type[Model]) -> Model:
    """Parse `path` as `model`.

    Raises `UserError` naming the file, the key and the remedy for the first fault found.
    """
    try:
        text = text_of(path, MOST_BYTES, ".toml").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not valid TOML: {error}") from None
    if line := _overlong_key(text):
        raise UserError(
            f"{path}: line {line}: a key has more than {MOST_PARTS} parts; no valid key does"
        )
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise UserError(f"{path}: not valid TOML: nested too deeply") from None
    except ValueError as error:  # Also of a number with more digits than Python converts.
        raise UserError(f"{path}: not valid TOML: {error}") from None
    return parse_manifest(data, model, str(path))


def _overlong_key(text: str) -> int:
    """The number of a line that may hold a key of over `MOST_PARTS` parts; 0 where none does."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_PARTS:
            bare = _DOTS.sub("", _STRINGS.sub("s", line))
            if bare.count(".") > MOST_PARTS:
                return number
    return 0


_STRINGS = re.compile(r""""[^"]*"|'[^']*'""")
_DOTS = re.compile(r"\.{2,}")
"""Not of a key, but of a text that goes over several lines."""


def parse_manifest(data: dict[str, Any], model: type[Model], where: str) -> Model:
    """Validate `data` as `model`; `where` is named in the error."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise UserError(f"{where}: {printable(_first_fault(error, model))}") from None
    except RecursionError:
        raise UserError(f"{where}: nested too deeply") from None


def _first_fault(error: ValidationError, model: type[BaseModel]) -> str:
    # An unknown key is often a misspelt required one: tell of it first, it explains the other.
    faults = error.errors(include_url=False)
    fault = next((f for f in faults if f["type"] == "extra_forbidden"), faults[0])
    key = ".".join(str(part) for part in fault["loc"]) or "the manifest"
    if fault["type"] == "extra_forbidden":
        known = _known_keys(model, fault["loc"][:-1])
        close = difflib.get_close_matches(str(fault["loc"][-1]), known, n=1)
        remedy = f"did you mean '{close[0]}'?" if close else f"known keys: {', '.join(known)}"
        return f"unknown key '{key}'; {remedy}"
    if fault["type"] == "missing":
        return f"missing key '{key}'; add it"
    message = fault["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return f"key '{key}': {message[0].lower()}{message[1:]} (got {fault.get('input')!r:.80})"


def _known_keys(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """The keys allowed at `path` inside `model`, as far as the annotations tell."""
    current: Any = model
    for part in path:
        if isinstance(part, int) or not _is_model(current):
            continue
        field = current.model_fields.get(str(part))
        inner = _inner_model(field.annotation) if field else None
        current = inner or current
    if not _is_model(current):
        return []
    return sorted(field.alias or name for name, field in current.model_fields.items())


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if _is_model(annotation):
        found: type[BaseModel] = annotation
        return found
    for argument in getattr(annotation, "__args__", ()):
        inner = _inner_model(argument)
        if inner is not None:
            return inner
    return None


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
