"""The state folder: builds, runs and the database, apart from the sources."""

from __future__ import annotations

import errno
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from webdyno.errors import UserError


@dataclass(frozen=True)
class Home:
    """`.webdyno/` beside the sources, or `$WEBDYNO_HOME`."""

    root: Path

    @classmethod
    def default(cls) -> Home:
        """The home of this checkout; of the user, where Webdyno was installed as a package.

        Raises `UserError` where the user has none.
        """
        if chosen := os.environ.get("WEBDYNO_HOME"):
            return cls(Path(chosen).absolute())
        checkout = Path(__file__).resolve().parents[3]
        if (checkout / "pyproject.toml").is_file():
            return cls(checkout / ".webdyno")
        if state := os.environ.get("XDG_STATE_HOME"):
            return cls(Path(state) / "webdyno")
        try:
            return cls(Path.home() / ".local" / "state" / "webdyno")
        except RuntimeError:  # A user that is only a number, as in containers.
            raise UserError(
                "this user has no home folder; set HOME or WEBDYNO_HOME to a folder to keep "
                "builds and runs in"
            ) from None

    @property
    def builds(self) -> Path:
        """One folder a built server, named by the content it was built from."""
        return self.root / "builds"

    @property
    def runs(self) -> Path:
        """One folder a run: its logs, report and exports."""
        return self.root / "runs"

    @property
    def cache(self) -> Path:
        """What can be made again, such as an initialised database cluster."""
        return Path(tempfile.gettempdir()) / f"webdyno-{os.geteuid()}" / "cache"

    @property
    def temporary(self) -> Path:
        """Private folders of trials under way; emptied when they end.

        In the system's own place for such files: databases that drop to another user must reach
        their data, which they could not below somebody's home, and socket paths must be short.
        """
        return Path(tempfile.gettempdir()) / f"webdyno-{os.geteuid()}" / "tmp"

    @property
    def database(self) -> str:
        """The store: `$WEBDYNO_STORE` (any SQLAlchemy URL), or a SQLite file here.

        Raises `UserError` where that is no URL.
        """
        chosen = os.environ.get("WEBDYNO_STORE")
        if chosen and "://" not in chosen:
            raise UserError(
                f"WEBDYNO_STORE={chosen}: not a URL; write sqlite:////path or postgresql://…"
            )
        return chosen or str(self.root / "webdyno.sqlite")

    @property
    def written(self) -> list[Path]:
        """The folders that a run fills: state, private files, and the store's where it is a file.

        Raises `UserError` as `database` does.
        """
        store = sqlite_file(self.database)
        stored = [] if store is None else [store.absolute().parent]
        return list(dict.fromkeys([self.root, self.temporary, *stored]))


_SHUT = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)


def unusable(error: BaseException) -> str:
    """That a folder of Webdyno's own cannot be used, where `error` says so, and which variable can
    name another one; empty where it says something else."""
    if not isinstance(error, OSError) or not isinstance(error.filename, str):
        return ""
    home = Home.default()
    for root, variable in ((home.root, "WEBDYNO_HOME"), (home.temporary.parent, "TMPDIR")):
        if not Path(error.filename).is_relative_to(root):
            continue
        if error.errno in _SHUT or (root.exists() and not root.is_dir()):
            return (
                f"{error.filename}: cannot be used ({error.strerror}); let {variable} name a "
                "folder that you may write to"
            )
    return ""


def sqlite_file(database: str) -> Path | None:
    """The file of a SQLite database, given as a path or as a URL; None for any other."""
    scheme, is_url, place = database.partition("://")
    if not is_url:
        return Path(database)
    file = place.partition("?")[0].removeprefix("/")
    if scheme.partition("+")[0] != "sqlite" or file in ("", ":memory:") or file.startswith("file:"):
        return None
    return Path(file)
