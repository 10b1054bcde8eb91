"""Real runs of a second a trial, in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from webdyno.catalog import Catalog, StudyManifest
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.runtime.home import Home
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.store import Store
from webdyno.trial.events import Listener, silent


def study(*servers: str, **changes: Any) -> StudyManifest:
    fields: dict[str, Any] = {
        "name": "hostile",
        "title": "Hostile",
        "question": "What comes of them?",
        "servers": list(servers),
        "scenarios": ["hello"],
        "loads": [{"kind": "closed", "connections": 2, "duration": 0.6, "timeout": "1s"}],
        "warmup": {"min": 0.3, "max": 0.3},
        "blocks": {"min": 1, "max": 1},
        "budget": "60s",
        "sentinel": False,
    }
    return StudyManifest.model_validate({**fields, **changes})


def run(manifest: StudyManifest, content: Path, listener: Listener = silent) -> RunRecord:
    home, store = Home(content / "home"), Store.open(content / "store.sqlite")
    environment = RunEnvironment(Catalog.with_overlay(content), home, store, listener)
    record = run_study(manifest, environment)
    assert store.run(record.id).trials == record.trials  # What is told is what is stored.
    store.close()
    return record


def by_server(record: RunRecord) -> dict[str, TrialRecord]:
    return {trial.server: trial for trial in record.trials}
