"""Any manifest: read, or refused in one line; a home whose path holds anything."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.faults import examples, fuzz

from webdyno.catalog.studies.study import read_study
from webdyno.errors import UserError

pytestmark = [pytest.mark.concurrent, pytest.mark.long]


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


def test_a_key_of_many_parts_is_refused_before_the_parser_meets_it(tmp_path: Path) -> None:
    path = tmp_path / "dots.toml"
    for text in (
        "a." * 60_000 + "a = 1",
        f"[{'a . ' * 40_000}a]",
        "x = {" + '"a".' * 30_000 + "a = 1}",
    ):
        path.write_text(f"\n{text}\n")
        began = time.monotonic()
        with pytest.raises(UserError, match="line 2: a key has more than 50 parts"):
            read_study(path)
        assert time.monotonic() - began < fuzz.WITHIN_S
    # Dots that are no key's are nobody's concern.
    path.write_text(f'a = """\n{"." * 200}\n{"1.2 " * 30}\n"""\n# {"a.b " * 20}')
    with pytest.raises(UserError, match="unknown key 'a'"):
        read_study(path)


@pytest.mark.parametrize("kind", examples.KINDS, ids=lambda kind: kind.name)
def test_made_up_input_is_taken_or_refused_in_one_line(kind: examples.Kind) -> None:
    tally = examples.tally(kind, 60, 1)
    assert not tally.fault
    assert tally.taken + tally.refused >= 60


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
