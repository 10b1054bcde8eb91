"""What the commands share: the home, the store and the catalog they work on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from webdyno.catalog.catalog import Catalog
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


def reading_store() -> Store:
    """The results' database, to read from: an empty one where there is none yet, so that no file is
    made by a look. Raises `UserError` where it cannot be opened, or could not be made."""
    from webdyno.store.store import Store

    where = home().database
    file = sqlite_file(where)
    missing = file is not None and not file.exists() and _may_be_made(file)
    return Store.open("sqlite://" if missing else where)


def _may_be_made(file: Path) -> bool:
    there = next((folder for folder in file.absolute().parents if folder.exists()), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK)


def catalog() -> Catalog:
    """The content, the user's overlay included."""
    return Catalog()
