"""Large tables in a trial's MariaDB: loaded once, kept as files, copied into each trial.

A table that is loaded and indexed is exported as InnoDB's transportable tablespace, its data file
and a description. A trial's fresh server gets a copy of both and imports them. The key of the kept
files is made of everything they depend on: the server's version, the definition of the table, its
indexes, and what its rows were made from.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from webdyno.runtime.home import Home
from webdyno.runtime.processes.private_folder import private_folder
from webdyno.runtime.services.base import RunningService, ServiceError, alone_at
from webdyno.runtime.services.mysql import WHERE, MySql, quoted

LOAD_TIMEOUT_S = 900.0
_FILES = ("ibd", "cfg")


@dataclass(frozen=True)
class Table:
    """A table as it is defined.

    `columns` is what stands between the brackets of CREATE TABLE, `indexes` are statements that
    are run after the rows are there, and `origin` names what the rows are made from (a seed, a
    number, the version of the generator).
    """

    table: str
    columns: str
    indexes: tuple[str, ...]
    origin: str

    @property
    def definition(self) -> str:
        """The statement that makes the table, empty and without indexes."""
        return f"CREATE TABLE {self.table} ({self.columns}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC"

    def key(self, version: str) -> str:
        """The name of its files in the cache for a server of `version`."""
        text = "\n".join([version, self.definition, *self.indexes, self.origin])
        return f"{self.table}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


@dataclass(frozen=True)
class Dataset(Table):
    """A table with its rows: `blocks` yields them as tab-separated lines."""

    blocks: Callable[[], Iterator[str]]

    def without_rows(self) -> Table:
        """Its definition alone."""
        return Table(self.table, self.columns, self.indexes, self.origin)


StartAnother = Callable[[Path, Path, tuple[int, ...], Path], RunningService]


def install(dataset: Dataset, env: Mapping[str, str], cache: Path, start: StartAnother) -> bool:
    """Bring `dataset` into the database that `env` names; its table must not be there yet.

    `start` starts another such database, in which the table is loaded where the cache does not
    hold it yet. Gives whether it was in the cache. Raises `ServiceError`.
    """
    known = install_known(dataset, env, cache)
    if not known:
        [[version]] = MySql(env).rows("SELECT @@version")
        _prepare(dataset, _kept_as(dataset, cache, version), cache, start)
        install_known(dataset, env, cache)
    return known


def install_known(dataset: Table, env: Mapping[str, str], cache: Path) -> bool:
    """The same where the cache holds it: whether it did. Raises `ServiceError`."""
    client = MySql(env)
    [[version, data, schema]] = client.rows("SELECT @@version, @@datadir, DATABASE()")
    prepared = _kept_as(dataset, cache, version)
    if not prepared.is_dir():
        return False
    client.rows(f"{dataset.definition}; {';'.join(dataset.indexes)}")
    client.rows(f"ALTER TABLE {dataset.table} DISCARD TABLESPACE")
    folder = Path(data) / schema
    for suffix in _FILES:
        _copy(prepared / f"table.{suffix}", folder / f"{dataset.table}.{suffix}", like=folder)
    # Its figures about the rows did not come along: without them, the first queries may scan.
    client.rows(
        f"ALTER TABLE {dataset.table} IMPORT TABLESPACE; ANALYZE TABLE {dataset.table}",
        timeout_s=LOAD_TIMEOUT_S,
    )
    return True


def _kept_as(dataset: Table, cache: Path, version: str) -> Path:
    return cache / "datasets" / dataset.key(version)


def _prepare(dataset: Dataset, prepared: Path, cache: Path, start: StartAnother) -> None:
    """Load the table in a database of its own and keep its files as `prepared`."""
    with contextlib.ExitStack() as stack:
        making = stack.enter_context(alone_at(prepared))
        if prepared.is_dir():  # Another run was quicker.
            return
        # Not below the cache, whose parents the database's user may not be allowed to enter, but
        # where it is removed however this process ends.
        private = private_folder(Home.default().temporary)
        work = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="dataset-", dir=private))
        )
        work.chmod(0o755)
        service = start(work / "mariadb", cache, (), work / "log")
        stack.callback(service.stop)
        client = MySql(service.as_owner)
        [[data, schema, files]] = client.rows("SELECT @@datadir, DATABASE(), @@secure_file_priv")
        rows = Path(files) / "rows.tsv"
        with rows.open("w", encoding="utf-8", newline="") as file:
            file.writelines(dataset.blocks())
        rows.chmod(0o644)
        client.rows(dataset.definition)
        client.rows(
            f"LOAD DATA INFILE {quoted(str(rows))} INTO TABLE {dataset.table}"
            " CHARACTER SET utf8mb4",
            timeout_s=LOAD_TIMEOUT_S,
        )
        for index in dataset.indexes:
            client.rows(index, timeout_s=LOAD_TIMEOUT_S)
        # While it is held for export, the file on disk is whole and nothing changes it.
        with client.held(f"FLUSH TABLES {dataset.table} FOR EXPORT"):
            for suffix in _FILES:
                _copy(Path(data) / schema / f"{dataset.table}.{suffix}", making / f"table.{suffix}")
        making.rename(prepared)


def _copy(source: Path, target: Path, like: Path | None = None) -> None:
    # Shares the blocks on file systems that can; elsewhere it runs at the disk's speed.
    argv = ["cp", "--reflink=auto", str(source), str(target)]
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode != 0:
        raise ServiceError(f"{WHERE}: a table's files cannot be copied: {done.stderr.strip()}")
    if like is not None and os.geteuid() == 0:
        owner = like.stat()
        os.chown(target, owner.st_uid, owner.st_gid)
