"""A store that may only be read is read, and left as it is."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from webdyno.cli import context
from webdyno.errors import UserError
from webdyno.store.records import RunRecord, now
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy


def a_run(id_: str) -> RunRecord:
    return RunRecord(
        id=id_, study=StoredStudy(name="quick"), command="./webdyno run", started=now()
    )


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of one run, in a folder of an odd name; neither may be written."""
    folder = tmp_path / "50% sure? #1"
    path = folder / "webdyno.sqlite"
    store = Store.open(path)
    store.save_run(a_run("first"))
    store.close()
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    monkeypatch.setenv("WEBDYNO_HOME", str(folder))
    return path


def protect(monkeypatch: pytest.MonkeyPatch) -> None:
    # Root may write anywhere, but for file systems that are read-only.
    monkeypatch.setattr(os, "access", lambda _path, mode: not mode & os.W_OK)


def test_it_is_read_and_nothing_is_made_beside_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    protect(monkeypatch)
    store = context.reading_store()
    assert [listed.id for listed in store.listed()] == ["first"]
    assert list(file.parent.iterdir()) == [file]


def test_what_is_still_in_its_log_is_read_as_well(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Store.open(file)
    writer.save_run(a_run("second"))
    assert file.with_name(f"{file.name}-wal").stat().st_size
    protect(monkeypatch)
    assert {listed.id for listed in context.reading_store().listed()} == {"first", "second"}
    writer.close()


def test_one_of_an_older_version_is_told_with_the_remedy(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("DROP TABLE alembic_version")
    protect(monkeypatch)
    with pytest.raises(UserError, match="let WEBDYNO_STORE name one that may be written"):
        context.reading_store()
