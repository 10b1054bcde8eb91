"""Records as they were stored, by this version or another: what a newer one added is left out, what
it changed is refused by its name."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from webdyno import __version__
from webdyno.errors import UserError

Model = TypeVar("Model", bound=BaseModel)


class Unreadable(UserError):
    """A record that only another version of Webdyno can read."""


def read_record(model: type[Model], document: dict[str, Any], *, id_: str, version: str) -> Model:
    """`document` as a `model`, without the keys that this version does not know.

    Raises `Unreadable` where it cannot be read all the same, naming the run `id_` and the `version`
    of Webdyno that made it.
    """
    try:
        return model.model_validate(document)
    except ValidationError as error:
        unknown = [e["loc"] for e in error.errors() if e["type"] == "extra_forbidden"]
    known = copy.deepcopy(document)
    for place in unknown:
        _remove(known, place)
    try:
        return model.model_validate(known)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise Unreadable(
            f"run {id_}: made by Webdyno {version or 'of another version'}, whose '{where}' this "
            f"version ({__version__}) cannot read; use that version for it"
        ) from None


def _remove(part: Any, place: tuple[int | str, ...]) -> None:
    *way, last = place
    for key in way:
        # A union's branch stands in the way as a name of its own, which no document has.
        if isinstance(part, list) and isinstance(key, int):
            part = part[key]
        elif isinstance(part, dict):
            part = part.get(key, part)
    if isinstance(part, dict):
        part.pop(last, None)
