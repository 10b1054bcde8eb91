"""A pair of versions to compare, and a service to compare versions of."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from support.git_folder import git
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.versions.version import Version
from webdyno.catalog import Catalog
from webdyno.catalog.descriptions.description import Description

FILE = """
language = "node"
requests = ["GET /a"]
[build]
commands = ["npm ci"]
[run]
command = "node a.js"
env = { A = "1" }
"""


@pytest.fixture
def pair(tmp_path: Path) -> Pairing:
    description = Description.model_validate(
        {"name": "shop", "requests": ["GET /"], "run": {"command": "./shop"}}
    )
    folder = tmp_path / "shop"
    folder.mkdir()
    versions = Version("a", "main (1f3)", folder, "1f3"), Version("b", "HEAD (9c2)", folder, "9c2")
    return pairing(description, versions, Catalog(), tmp_path)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "webdyno.toml").write_text(FILE)
    return folder


def paired(here: Path, into: Path, **changes: Any) -> Pairing:
    """What a request made in the folder `here` comes to."""
    catalog = Catalog()
    description, versions = resolve(PairRequest(cwd=here, **changes), catalog, into)
    return pairing(description, versions, catalog, into)


@pytest.fixture(scope="session")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("committed") / "shop"
    (folder / "api" / "vendor").mkdir(parents=True)
    (folder / "api" / "main.js").write_text("1")
    (folder / "api" / "vendor" / "kept.js").write_text("v")
    (folder / ".gitignore").write_text("secret\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    (folder / "api" / "main.js").write_text("2")
    git(folder, "commit", "-q", "-a", "-m", "two")
    (folder / "api" / "main.js").write_text("3")
    (folder / "api" / "new.js").write_text("n")
    (folder / "secret").write_text("s")
    return folder


@pytest.fixture
def repository(committed: Path, tmp_path: Path) -> Path:
    """A copy of `committed`."""
    return Path(shutil.copytree(committed, tmp_path / "shop", symlinks=True))
