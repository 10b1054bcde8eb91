"""A pair of versions to compare."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.ab.pairing import Pairing, pairing
from webdyno.ab.versions import Version
from webdyno.catalog import Catalog
from webdyno.catalog.description import Description


@pytest.fixture
def pair(tmp_path: Path) -> Pairing:
    description = Description.model_validate(
        {"name": "shop", "requests": ["GET /"], "run": {"command": "./shop"}}
    )
    folder = tmp_path / "shop"
    folder.mkdir()
    versions = Version("a", "main (1f3)", folder, "1f3"), Version("b", "HEAD (9c2)", folder, "9c2")
    return pairing(description, versions, Catalog(), tmp_path)
