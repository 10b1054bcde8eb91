"""Any manifest: read, or refused in one line; a home whose path holds anything."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from pydantic import BaseModel

from faults import fuzz
from webdyno.catalog.study import read_study
from webdyno.errors import UserError

SHORT = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))


@SHORT
@given(fuzz.changed_manifests())
def test_any_value_is_read_or_refused(made: tuple[dict[str, Any], type[BaseModel]]) -> None:
    fuzz.check_manifest(*made)


@SHORT
@given(fuzz.changed_bytes())
def test_any_bytes_are_read_or_refused(made: tuple[bytes, type[BaseModel]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fuzz.check_bytes(*made, Path(folder))


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe, folder, large = tmp_path / "pipe.toml", tmp_path / "folder.toml", tmp_path / "large.toml"
    os.mkfifo(pipe)
    folder.mkdir()
    large.write_bytes(b"a = 1\n" * 1_000_000)
    zero, closed = tmp_path / "zero.toml", tmp_path / "closed.toml"
    zero.symlink_to("/dev/zero")
    closed.symlink_to(closed)
    for path in (pipe, folder, large, zero, closed):
        began = time.monotonic()
        with pytest.raises(UserError) as caught:
            read_study(path)
        assert time.monotonic() - began < fuzz.WITHIN_S
        assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", ["sp ace", "ünï", "a'b\"c"])
def test_a_folder_of_any_name_can_be_a_home(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / name)
    done = subprocess.run(
        [sys.executable, "-m", "webdyno", "list", "runs"],
        env={**os.environ, "WEBDYNO_HOME": str(link / "home"), "PYTHONPATH": f"{fuzz.ROOT}/src"},
        capture_output=True, text=True, cwd=tmp_path / name, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
