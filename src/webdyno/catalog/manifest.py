"""What all manifests share: TOML in, a strict typed model out, one clear line when it is wrong."""

from __future__ import annotations

import difflib
import os
import stat
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from webdyno.errors import UserError
from webdyno.printable import printable

Model = TypeVar("Model", bound=BaseModel)


class Manifest(BaseModel):
    """Base of every part of a manifest: frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


MOST_BYTES = 2_000_000
"""Of a manifest, ten times what the largest one has: to read any size could take minutes."""


def read_manifest(path: Path, model: type[Model]) -> Model:
    """Parse `path` as `model`.

    Raises `UserError` naming the file, the key and the remedy for the first fault found.
    """
    text = _text_of(path)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise UserError(f"{path}: not valid TOML: nested too deeply") from None
    except ValueError as error:  # Also of a number with more digits than Python converts.
        raise UserError(f"{path}: not valid TOML: {error}") from None
    return parse_manifest(data, model, str(path))


def _text_of(path: Path) -> str:
    """The text of a file, which may be a link, but no device and no pipe, which would not end."""
    try:
        # Without waiting: a pipe that nobody writes to would be opened never.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UserError(f"{path}: not a file; name a .toml file")
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise UserError(f"{path}: not a file; name a .toml file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"{path}: cannot be read: {reason}") from None
    if len(data) > MOST_BYTES:
        raise UserError(f"{path}: larger than {MOST_BYTES // 10**6} MB; no manifest is")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not valid TOML: {error}") from None


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
