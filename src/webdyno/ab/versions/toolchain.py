"""The programs that a description requires, as far as Webdyno knows them."""

from __future__ import annotations

from pathlib import Path

from webdyno.catalog.descriptions.description import Description
from webdyno.errors import UserError
from webdyno.runtime.programs import program_named


def with_known_programs(description: Description, path: Path | None) -> Description:
    """The description. Raises `UserError`, which names its file, for a toolchain that is none."""
    where = path or "the options"
    for spec in description.toolchain:
        try:
            program_named(spec.split()[0])
        except UserError as error:
            raise UserError(f"{where}: key 'toolchain': {error}") from None
    return description
