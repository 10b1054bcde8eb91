"""Two laboratories with one store in PostgreSQL: both run at once, and each sees what both did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command_line import webdyno
from support.hello_server import write_hello_server
from support.services import postgresql

pytestmark = pytest.mark.concurrent

ROOT = Path(__file__).resolve().parents[2]
STUDY = """
name = "shared"
title = "Shared"
question = "Who else writes here?"
servers = ["python/near"]
scenarios = ["hello"]
budget = "20s"
sentinel = false
[warmup]
min = "200ms"
max = "300ms"
[[loads]]
name = "closed"
kind = "closed"
connections = 2
duration = "300ms"
[blocks]
min = 1
max = 1
"""


class Laboratory:
    """A home of its own; content and store are everybody's."""

    def __init__(self, folder: Path, name: str, store: str) -> None:
        self._folder, self._home, self._store = folder, folder / name, store

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "WEBDYNO_HOME": str(self._home),
            "WEBDYNO_STORE": self._store,
            "WEBDYNO_CONTENT": str(self._folder / "content"),
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
            "COLUMNS": "200",
        }

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "webdyno", *arguments],
            cwd=self._folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def says(self, *arguments: str) -> str:
        """What a command that succeeds prints."""
        done = webdyno(*arguments, cwd=self._folder, env=self.environment, timeout_s=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def made(self) -> str:
        """The id of the only run that was made here."""
        (folder,) = (self._home / "runs").iterdir()
        return folder.name


@pytest.fixture
def laboratories(tmp_path: Path) -> Iterator[tuple[Laboratory, Laboratory]]:
    pytest.importorskip(
        "psycopg",
        reason="no driver; install it: pip install -r requirements-postgresql.lock",
    )
    write_hello_server(tmp_path / "content", "near")
    (tmp_path / "shared.toml").write_text(STUDY)
    service = postgresql(tmp_path, all_rights=True)
    url = service.env["DATABASE_URL"]
    yield Laboratory(tmp_path, "one", url), Laboratory(tmp_path, "other", url)
    service.stop()


def test_two_runs_at_once_are_both_there_for_both(
    tmp_path: Path, laboratories: tuple[Laboratory, Laboratory]
) -> None:
    under_way = [one.start("run", "shared.toml", "--plain") for one in laboratories]
    for process in under_way:
        _, error = process.communicate(timeout=200)
        assert process.returncode == 0, error
    ids = {one.made() for one in laboratories}
    assert len(ids) == 2
    for here, there in (laboratories, laboratories[::-1]):
        listed = here.says("list", "runs")
        assert all(id_ in listed for id_ in ids)
        file = tmp_path / "run.json"
        here.says("report", there.made(), "--json", str(file))
        document = json.loads(file.read_text())
        assert document["id"] == there.made()
        assert [trial["status"] for trial in document["trials"]] == ["ok"]
        assert "hello" in here.says("compare", *sorted(ids))
        history = tmp_path / "history.json"
        here.says("history", "shared", "--json", str(history))
        assert all(id_ in history.read_text() for id_ in ids)
