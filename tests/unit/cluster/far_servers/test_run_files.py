"""What other machines send home."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.cluster.far_servers.far_worker import WorkerFailure
from webdyno.cluster.far_servers.run_files import files_in, keep_in


def test_logs_are_kept_in_the_run_s_folder(tmp_path: Path) -> None:
    keep_in(tmp_path / "run", {"logs/a.log": b"said", "b.json": b"{}"})
    assert (tmp_path / "run" / "logs" / "a.log").read_bytes() == b"said"
    assert (tmp_path / "run" / "b.json").read_bytes() == b"{}"
    assert files_in(tmp_path / "run") == {"logs/a.log": b"said", "b.json": b"{}"}


@pytest.mark.parametrize("name", ["../other", "/etc/passwd", "logs/../../other", "link/other"])
def test_nothing_is_written_outside_of_it(tmp_path: Path, name: str) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "link").symlink_to(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(WorkerFailure, match="outside of the run's folder"):
        keep_in(run, {name: b"x"})
    assert sorted(tmp_path.rglob("*")) == before
