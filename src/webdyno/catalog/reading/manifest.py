"""What all manifests share: TOML in, a strict typed model out, one clear line when it is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from webdyno.catalog.reading.fault import Loc, first_fault
from webdyno.errors import UserError
from webdyno.printable import printable
from webdyno.regular_file import text_of


class Manifest(BaseModel):
    """Base of every part of a manifest: frozen, an unknown key is an error, and nothing stands for
    a value of another type: neither `true` for 1, nor "1", nor "yes" for true; NaN is no number."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, strict=True, allow_inf_nan=False
    )

    @classmethod
    def as_written(cls, _data: Any, loc: Loc) -> Loc:
        """The way in `_data` to what pydantic calls `loc`: another one where a model changes what
        it is given before it looks at it."""
        return loc


Model = TypeVar("Model", bound=Manifest)


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
        raise UserError(f"{path}: not valid TOML: {error}; save it as UTF-8") from None
    parsed: Model = _parsed(text, model, str(path))
    return parsed


@lru_cache(maxsize=1024)
def _parsed(text: str, model: type[Model], where: str) -> Model:
    """`text` as `model`, once a process: a catalog reads the same file again and again."""
    if line := _overlong_key(text):
        raise UserError(
            f"{where}: line {line}: a key has more than {MOST_PARTS} parts; write a shorter one"
        )
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise UserError(f"{where}: not valid TOML: nested too deeply; write it flatter") from None
    except ValueError as error:  # Also of a number with more digits than Python converts.
        raise UserError(f"{where}: not valid TOML: {error}") from None
    return parse_manifest(data, model, where)


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
    """Validate `data` as `model`. Raises `UserError`, which names `where`."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        fault = first_fault(error, model, partial(model.as_written, data))
        raise UserError(f"{where}: {printable(fault)}") from None
    except RecursionError:
        raise UserError(f"{where}: nested too deeply; write it flatter") from None
