"""A run whose trials the machine keeps from being made ends, and says so."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from support.small_study import a_trial
from webdyno.catalog import Catalog
from webdyno.run.bench import observe
from webdyno.run.bench.bench import Bench
from webdyno.run.judgement.lab_failures import LEAST, none_can_be_made
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.run.study.named_study import study_of_scenario
from webdyno.run.study.narrow import narrowed
from webdyno.runtime.home import Home
from webdyno.store.records import FlagRecord, RunRecord, TrialRecord
from webdyno.store.store import Store
from webdyno.trial.assessment.of_the_lab import GENERATOR_FAILED
from webdyno.trial.events import Event, Noted
from webdyno.trial.watching.stalls import STOOD

WHY = "engine: load: no thread can be started"


def failed(code: str = GENERATOR_FAILED, status: str = "error", **changes: Any) -> TrialRecord:
    flags = [FlagRecord(code=code, message=WHY)]
    how = {"status": status, "reason": WHY, "flags": flags, "measurement": None, **changes}
    return a_trial(how.pop("server", "go/gin"), how.pop("block", 0), 1000.0, **how)


def test_so_many_tell_that_the_next_would_fail_as_well() -> None:
    assert none_can_be_made([failed()] * LEAST)
    assert not none_can_be_made([failed()] * (LEAST - 1))
    assert not none_can_be_made([*[failed()] * LEAST, a_trial("go/gin", 0, 1000.0)])
    # A busy machine may be quieter soon.
    assert not none_can_be_made([failed(STOOD, "failed")] * LEAST)


class Unable(Bench):
    """Can make no load, but for the trial that it is told to spare."""

    def __init__(self, spared: int | None) -> None:
        self.spared = spared

    def machine(self, noise: bool = True) -> Any:
        return observe.machine(noise=False)

    def check(self, *_: Any) -> None:
        pass

    def prepare(self, entries: Sequence[Any], *_: Any) -> Any:
        ids = {entry.server_variant.server.build_id for entry in entries}
        ready: Any = type("Ready", (), {"versions": {}, "build": None})
        return dict.fromkeys(ids, ready), []

    def changed_builds(self, _ready: Any) -> dict[str, str]:
        return {}

    def sentinel(self, *_: Any) -> None:
        return None

    def trials(self, starts: Iterable[Any], *_: Any, **__: Any) -> Iterator[TrialRecord]:
        for plans in starts:
            for plan in plans:
                place = {
                    "run_id": plan.run_id,
                    "index": plan.index,
                    "order": plan.order,
                    "block": plan.block,
                    "control": plan.control,
                    "scenario": plan.scenario.id,
                    "load": plan.load.label(),
                    "server": plan.server_variant.server.id,
                }
                if plan.index == self.spared:
                    yield a_trial(place.pop("server"), place.pop("block"), 1000.0, **place)
                else:
                    yield failed(**place)


@pytest.mark.parametrize(("spared", "ends"), [(None, True), (3, False)])
def test_it_ends_early_and_says_why(tmp_path: Path, spared: int | None, ends: bool) -> None:
    catalog, heard = Catalog(), list[Event]()
    pair = ["go/gin", "node/fastify"]
    study = narrowed(
        study_of_scenario(catalog, catalog.scenario("hello"), pair), servers=pair, blocks=5
    )
    with contextlib.closing(Store.open(tmp_path / "store.db")) as store:
        environment = RunEnvironment(
            catalog, Home(tmp_path), store, heard.append, bench=Unable(spared)
        )
        run = run_study(study, environment)
        kept: RunRecord = store.run(run.id)
    told = f"ended early: this machine, not a server, failed in all of {LEAST} trials ({WHY})"
    said = [event.text for event in heard if isinstance(event, Noted)]
    if ends:
        assert len(kept.trials) == LEAST
        assert any(note.startswith(told) for note in kept.notes)
        assert any(text.startswith(told) for text in said)
    else:
        assert len(kept.trials) > LEAST
        assert "ended early" not in json.dumps([kept.notes, said])
