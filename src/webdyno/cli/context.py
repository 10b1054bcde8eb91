"""What the commands share: the home, the store and the catalog they work on."""

from __future__ import annotations

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
    made by a look. Raises `UserError` where it cannot be opened."""
    from webdyno.store.store import Store

    where = home().database
    file = sqlite_file(where)
    return Store.open(where if file is None or file.exists() else "sqlite://")


def catalog() -> Catalog:
    """The content, the user's overlay included."""
    return Catalog()
