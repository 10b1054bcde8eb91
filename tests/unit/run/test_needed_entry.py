"""A run without the entry that all others are compared with."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog import Catalog
from webdyno.run.bench import observe
from webdyno.run.bench.bench import Bench
from webdyno.run.record.passing_notes import NONE_BUILT, not_without
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment, RunSettings
from webdyno.run.study.named_study import study_of_scenario
from webdyno.run.study.narrow import narrowed
from webdyno.runtime.home import Home
from webdyno.store.records import RunRecord, Skipped
from webdyno.store.store import Store


class Half(Bench):
    """Builds all servers but `unbuilt`, and cannot make trials."""

    def __init__(self, *unbuilt: str) -> None:
        self.unbuilt = unbuilt

    def machine(self, noise: bool = True) -> Any:
        return observe.machine(noise=False)

    def check(self, *_: Any) -> None:
        pass

    def prepare(self, entries: Sequence[Any], *_: Any) -> Any:
        ids = {entry.server_variant.server.build_id for entry in entries}
        nothing: Any = type("Ready", (), {"versions": {}})
        skipped = [Skipped(server=one, reason="npm failed") for one in self.unbuilt]
        return {one: nothing for one in ids if one not in self.unbuilt}, skipped


@pytest.mark.parametrize(
    ("unbuilt", "note"),
    [(["go/gin"], not_without("go/gin")), (["go/gin", "node/fastify"], NONE_BUILT)],
)
def test_nothing_is_measured_without_it(tmp_path: Path, unbuilt: list[str], note: str) -> None:
    catalog = Catalog()
    pair = ["go/gin", "node/fastify"]
    study = narrowed(study_of_scenario(catalog, catalog.scenario("hello"), pair), servers=pair)
    with contextlib.closing(Store.open(tmp_path / "store.db")) as store:
        run = run_study(
            study,
            RunEnvironment(catalog, Home(tmp_path), store, bench=Half(*unbuilt)),
            RunSettings(required_entry="go/gin"),
        )
        kept: RunRecord = store.run(run.id)
    assert kept.notes == [note]
    assert kept.trials == []
    assert [one.server for one in kept.skipped] == unbuilt
