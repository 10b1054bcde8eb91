"""What end-to-end tests share: the command line as a user starts it, with a home of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import webdyno
from support.shared_builds import home_with_shared_builds

ROOT = Path(__file__).resolve().parents[2]

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder for this session."""
    return home_with_shared_builds(tmp_path_factory.mktemp("home"), tmp_path_factory)


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
