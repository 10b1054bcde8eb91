"""What the tests share: `conftest.py` at the top."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

WITHIN_S = 60.0

WAITING = """
import pathlib, time
import pytest

@pytest.fixture
def started():
    yield
    time.sleep(0.3)
    pathlib.Path("ended").touch()

def test_it(started):
    pathlib.Path("begun").touch()
    time.sleep(60)
"""


@pytest.mark.slow
def test_what_a_test_started_ends_with_a_pytest_that_is_terminated(tmp_path: Path) -> None:
    (tmp_path / "test_waiting.py").write_text(WAITING)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "conftest"]
    process = subprocess.Popen(
        [*command, "--rootdir", str(tmp_path), "test_waiting.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT}/tests:{ROOT}/src"},
        stdout=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + WITHIN_S
        while not (tmp_path / "begun").exists() and time.monotonic() < until:
            assert process.poll() is None
            time.sleep(0.05)
        assert not (tmp_path / "ended").exists()
        # As some runners of pipelines do.
        while process.poll() is None and time.monotonic() < until:
            process.terminate()
            time.sleep(0.1)
    finally:
        process.kill()
        process.wait()
    assert (tmp_path / "ended").exists()
