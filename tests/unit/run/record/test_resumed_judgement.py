"""A run that was killed and went on concludes what the same trials do without a pause."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from support.small_run import a_run, with_changes
from support.small_study import a_study, a_trial, trials
from webdyno.run.blocks.make_blocks import conclude
from webdyno.run.record.resume import resumed
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.store import Store

pytestmark = pytest.mark.slow

BLOCKS = 6
JUDGED = ("verdicts", "costs", "scalability", "differences")


def all_trials() -> list[TrialRecord]:
    """Four entries in two scenarios; one trial failed by its port, one was cold, one of a liar."""
    made = trials(BLOCKS, node=3900.0)
    hashed = [
        a_trial(server, block, rps + block, scenario="sha256", control=control)
        for block in range(BLOCKS)
        for server, rps, control in (
            ("node/http", 90.0, False), ("go/gin", 200.0, False), ("go/gin", 201.0, True),
            ("go/chi", 203.0, False),
        )
    ]  # fmt: skip
    changes: dict[tuple[str, str, int], dict[str, Any]] = {
        ("json", "go/gin", 1): {"status": "error", "reason": "no port was free"},
        ("json", "node/http", 2): {"not_steady": "still getting faster"},
        ("sha256", "node/http", 3): {"status": "failed", "reason": "wrong", "lie": "wrong sums"},
    }
    found = []
    for index, trial in enumerate([*made, *hashed]):
        key = (trial.scenario, trial.server, trial.block)
        told = {} if trial.control else changes.get(key, {})
        found += with_changes([trial], index=index, **told)
    # As a run makes them: a block after the other, at random within each.
    draw = random.Random(5)
    return sorted(found, key=lambda one: (one.block, draw.random()))


def concluded(run: RunRecord) -> dict[str, Any]:
    conclude(a_study(), run)
    return run.model_dump(mode="json", include=set(JUDGED))


@pytest.mark.parametrize("killed_after", [1, 9, 17, 32, 47])
def test_wherever_it_was_killed_it_concludes_the_same(tmp_path: Path, killed_after: int) -> None:
    made = all_trials()
    whole = concluded(a_run("r", made, planned_blocks=BLOCKS))
    where = tmp_path / "results.sqlite"
    with closing(Store.open(where)) as store:
        run = a_run("r", [], planned_blocks=BLOCKS, status="running")
        store.save_run(run)
        for trial in made[:killed_after]:
            store.add_trial(trial)
            run.trials.append(trial)
        conclude(a_study(), run)  # What a look after a block wrote.
        store.save_run(run)
    with closing(Store.open(where)) as store:
        run = resumed(store.run("r"))
        assert [one.index for one in run.trials] == sorted(t.index for t in made[:killed_after])
        for trial in made[killed_after:]:
            store.add_trial(trial)
            run.trials.append(trial)
        run.status = "finished"
        # As it ends, and as anybody reads it later.
        assert concluded(run) == whole
        store.save_run(run)
    with closing(Store.open(where)) as store:
        stored = store.run("r")
        assert stored.model_dump(mode="json", include=set(JUDGED)) == whole
        assert concluded(stored) == whole


def test_it_is_the_trials_that_it_concludes_from() -> None:
    made = all_trials()
    whole = concluded(a_run("r", made, planned_blocks=BLOCKS))
    assert concluded(a_run("r", made[:-8], planned_blocks=BLOCKS)) != whole
    assert len(whole["verdicts"]) == 2
    assert [one["kind"] for one in whole["verdicts"][1]["not_ranked"]] == ["disqualified"]
