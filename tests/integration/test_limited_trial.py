"""A server that wants more memory than its limit: its trial fails, and says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.hello_server import write_hello_server
from support.quiet import first_in_line
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.report.text.facts import machine
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.runtime.confinement.confine import means
from webdyno.runtime.home import Home
from webdyno.store.store import Store

pytestmark = pytest.mark.concurrent

HOARD = """
def hoard():
    time.sleep(1.0)
    held = []
    while True:
        held.append(b"x" * (8 << 20))
        time.sleep(0.01)

threading.Thread(target=hoard, daemon=True).start()
"""


@pytest.mark.skipif(
    not means().memory.startswith("cgroup"), reason="no control group for memory may be written"
)
def test_out_of_memory_is_the_reason_of_the_trial(tmp_path: Path) -> None:
    write_hello_server(tmp_path, "hog", setup=HOARD)
    study = StudyManifest.model_validate(
        {
            "name": "limited",
            "title": "limited",
            "question": "does the limit hold?",
            "servers": ["python/hog"],
            "scenarios": ["hello"],
            "loads": [{"kind": "closed", "connections": 2, "duration": "3s", "timeout": "2s"}],
            "limits": {"cpus": 0.9, "memory": "150MB"},
            "warmup": {"min": 0.2, "max": 0.2},
            "blocks": {"min": 1, "max": 1},
            "budget": "60s",
        }
    )
    catalog = Catalog.with_overlay(tmp_path)
    home, store = Home(tmp_path / "home"), Store.open(tmp_path / "store.sqlite")
    with first_in_line():  # Else it may be served too seldom to take that much.
        run = run_study(study, RunEnvironment(catalog, home, store))
    (trial,) = run.trials
    assert trial.status == "failed"
    assert trial.reason.startswith("out of memory: the limit is 150 MB")
    told = {fact.label: fact.value for fact in machine(run)}
    assert "150 MB of memory requested: enforced by cgroup" in told["Limits"]
