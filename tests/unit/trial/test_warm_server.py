"""What a verifier is told of a warm-up: its beginning, sampled answers, and how many it had."""

from __future__ import annotations

import os
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from webdyno.generators.job import Job
from webdyno.generators.result import LoadResult
from webdyno.trial import warm_server as module
from webdyno.trial.events import silent
from webdyno.trial.state import TrialState
from webdyno.trial.warm_server import warm_server

RESULT: Any = SimpleNamespace(samples=[], counts=SimpleNamespace(ok=40))


class Told:
    """A verifier that notes what it is told."""

    warm_up_samples: ClassVar[int] = 0

    def __init__(self) -> None:
        self.answered_before = 3
        self.told: list[object] = []

    def before_warm_up(self) -> None:
        self.told.append("before")

    def warmed(self, samples: list[object], answers: int) -> None:
        self.told.append((samples, answers))


class ToldOfSamples(Told):
    warm_up_samples = 1000


@pytest.mark.parametrize(
    ("kind", "told"),
    [(Told, ["before", "load"]), (ToldOfSamples, ["before", "load", ([], 40), ([], 40)])],
)
def test_the_verifier_is_told_of_each_load_that_is_sampled(
    monkeypatch: pytest.MonkeyPatch, kind: type[Told], told: list[object]
) -> None:
    verifier: Any = kind()
    jobs: list[Job] = []

    def warm_up(job: Job, *_given: Any, ended: Any, **_named: Any) -> Any:
        jobs.append(job)
        verifier.told.append("load")
        if ended is not None:
            # The first load, and the one on fresh connections.
            for _ in range(2):
                result: LoadResult = RESULT
                ended(result)
        return SimpleNamespace(
            answers=90,
            seconds=1.0,
            model_copy=lambda update: SimpleNamespace(**update, seconds=1.0),
        )

    full = SimpleNamespace(listening=lambda listener: listener, is_full=lambda: True)
    monkeypatch.setattr(module, "warm_up", warm_up)
    monkeypatch.setattr(module, "Fullness", lambda *_args, **_given: full)
    plan: Any = SimpleNamespace(
        placement=SimpleNamespace(shared=(), server=(0,)), server_cores=1, warmup=None
    )
    scenario: Any = None
    job = Job(scenario=scenario, load=scenario, port=1, cpus=(), seed=1, samples=200)
    server: Any = SimpleNamespace(process=SimpleNamespace(pid=os.getpid()))
    state = TrialState()
    warm_server(plan, job, silent, state, server, verifier)
    assert verifier.told == told
    assert verifier.answered_before == 93
    assert state.warmed_s == 1.0
    # Bodies are for the audit alone.
    assert jobs == [replace(job, samples=kind.warm_up_samples, body_bytes=0)]
