"""Files that an update changes: all of them or none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.errors import UserError
from webdyno.outdated import update as module
from webdyno.outdated.update import update


def test_a_manifest_is_not_left_with_another_ones_lock_file(tmp_path: Path) -> None:
    manifest = tmp_path / "package.json"
    manifest.write_bytes(b"old")
    with pytest.raises(UserError, match=r"/proc/version: cannot be written: .*; the server stays"):
        module._write_all({manifest: b"new", Path("/proc/version"): b"new"})
    assert manifest.read_bytes() == b"old"


def test_what_may_not_be_written_is_refused_before_a_client_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: path.name != "package-lock.json")
    monkeypatch.setattr(module, "copy_files", lambda *_given: pytest.fail("it was begun"))
    with pytest.raises(UserError, match=r"node/koa/package-lock.json: may not be written"):
        update(Catalog().server("node/koa"))
