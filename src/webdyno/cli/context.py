"""What the commands share: the home, the store and the catalog they work on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from webdyno.catalog.catalog import Catalog
from webdyno.errors import UserError
from webdyno.runtime.home import Home, sqlite_file

if TYPE_CHECKING:
    from webdyno.store.store import Store


def home() -> Home:
    """The state folder."""
    return Home.default()


def open_store() -> Store:
    """The results' database. Raises `UserError` where it cannot be opened."""
    # Imported here: the database's library takes longer than all else of a command without it.
    from webdyno.store.store import Store

    return Store.open(home().database)


def store_to_go_on(resumed: str | None) -> Store:
    """The results' database, to write to. One that is not there has nothing to go on with: where a
    run is `resumed`, it is no reason to make an empty one. Raises `UserError`."""
    file = sqlite_file(home().database)
    if resumed is not None and file is not None and not file.exists():
        raise UserError(
            f"{file}: no such store, so no run to resume; leave --resume out, or "
            "correct WEBDYNO_STORE or WEBDYNO_HOME"
        )
    return open_store()


def reading_store() -> Store:
    """The results' database, to read from: an empty one where there is none yet, so that no file is
    made by a look; one that may not be written as it is. Raises `UserError` where it cannot be
    opened, or could not be made."""
    from webdyno.store.sql.database import read_only
    from webdyno.store.store import Store

    where = home().database
    file = sqlite_file(where)
    if file is not None and file.is_file() and not _may_be_written(file):
        where = read_only(file)
    elif file is not None and not file.exists() and _may_be_made(file):
        where = "sqlite://"
    return Store.open(where)


def _may_be_written(file: Path) -> bool:
    """SQLite writes beside its file as well."""
    return all(os.access(place, os.W_OK) for place in (file, file.absolute().parent))


def _may_be_made(file: Path) -> bool:
    there = next((folder for folder in file.absolute().parents if folder.exists()), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK)


def catalog() -> Catalog:
    """The content, the user's overlay included."""
    return Catalog()
