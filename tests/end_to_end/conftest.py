"""What end-to-end tests share: the command line as a user starts it, with a home of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import webdyno

ROOT = Path(__file__).resolve().parents[2]

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder for this session. Its builds are those of all of its workers: each server is
    built once."""
    home, base = tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp()
    builds = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "builds"
    builds.mkdir(exist_ok=True)
    (home / "builds").symlink_to(builds)
    return home


@pytest.fixture(scope="session")
def environment(home: Path) -> dict[str, str]:
    """The environment of every command under test."""
    return {**os.environ, "WEBDYNO_HOME": str(home), "PYTHONPATH": str(ROOT / "src")}


@pytest.fixture(scope="session")
def cli(environment: dict[str, str]) -> Cli:
    """Run `webdyno ARGUMENTS`; gives its exit code and output."""

    def run(
        *arguments: str, cwd: Path = ROOT, timeout_s: float = 240
    ) -> subprocess.CompletedProcess[str]:
        return webdyno(*arguments, cwd=cwd, env=environment, timeout_s=timeout_s)

    return run
