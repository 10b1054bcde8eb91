"""Generators that are programs of their own: how they end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.generators.external import FinishedProgram, run_program
from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.generators.progress import LoadProgress, Watch

REQUESTS = [{"name": "visit", "path": "/"}]
SCENARIO = ScenarioManifest.model_validate(
    {"name": "some", "title": "t", "description": "d", "requests": REQUESTS}
)
LOAD = Closed(kind="closed", connections=1, duration=1.0)


def run(folder: Path, command: str, watch: Watch | None = None) -> FinishedProgram:
    job = Job(SCENARIO, LOAD, port=4000, cpus=(), seed=7)
    return run_program(["sh", "-c", command], job, folder, watch, name="tool", timeout_s=20.0)


def test_one_that_was_asked_to_end_early_did_not_fail(tmp_path: Path) -> None:
    asked: list[float] = []

    def once_it_has_begun(progress: LoadProgress) -> bool:
        if (tmp_path / "begun").exists():
            asked.append(progress.elapsed_s)
        return bool(asked)

    began = time.monotonic()
    found = run(tmp_path, "echo figures; touch begun; exec sleep 15", once_it_has_begun)
    assert found.output == "figures\n"
    assert asked
    assert time.monotonic() - began < 10


def test_one_that_fails_is_told_with_its_last_line(tmp_path: Path) -> None:
    with pytest.raises(GeneratorError, match=r"^tool exited with 3: no such host$"):
        run(tmp_path, "echo begun; echo no such host; exit 3", lambda _: False)
