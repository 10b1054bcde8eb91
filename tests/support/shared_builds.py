"""Builds that all tests of a session share: each server is built once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def home_with_shared_builds(home: Path, factory: pytest.TempPathFactory) -> Path:
    """The folder `home`, made as a state folder whose builds are those of all of the session's
    workers."""
    base = factory.getbasetemp()
    builds = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "builds"
    builds.mkdir(exist_ok=True)
    home.mkdir(exist_ok=True)
    (home / "builds").symlink_to(builds)
    return home
