"""`webdyno outdated` from the command line: what is refused, and clients that are missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def outdated(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "webdyno", "outdated", *arguments],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("server", "said"),
    [
        ("elixir/phoenix", "elixir is not installed (install it: "),
        ("node/fastify", "npm is not installed"),
    ],
)
def test_a_missing_client_is_one_line(server: str, said: str, tmp_path: Path) -> None:
    told = outdated(server, PATH=str(tmp_path))
    assert told.returncode == 1
    assert f"{server}: unknown: {said}" in told.stdout
    assert "Traceback" not in told.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--update"], "--update: no servers; name"),
        (["node/koa", "--measure", "json"], "--measure compares one updated server"),
        (["node/toa", "--update", "--measure", "page"], "does not implement page"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], said: str) -> None:
    told = outdated(*arguments)
    assert told.returncode == 2
    assert said in told.stderr
