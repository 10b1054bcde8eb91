"""One start of a server that serves several loads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.in_turns import DURATION_S, Run, long_load, runs, study
from support.quiet import first_in_line

pytestmark = pytest.mark.concurrent

BOTH_LOADS = [
    {**long_load(), "name": "full", "duration": DURATION_S},
    {
        "kind": "open", "name": "steady", "phases": ["100/s:800ms"], "slice": "200ms",
        "timeout": "2s",
    },
]  # fmt: skip
SHARED = {"loads": BOTH_LOADS, "blocks": {"min": 2, "max": 2, "shared_starts": True}}


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """See `runs`."""
    with runs(tmp_path) as made:
        yield made


def test_a_start_serves_all_loads_from_the_second_block_on(run: Run) -> None:
    with first_in_line():  # Else the busy one may not be seen to use all of its core.
        ended = run(study("python/busy", "python/eager", **SHARED))
    assert [trial.reason for trial in ended.trials] == [""] * 8
    assert len({trial.index for trial in ended.trials}) == 8
    assert not any(trial.shared_start for trial in ended.trials if trial.block == 0)
    for server in ("python/busy", "python/eager"):
        mine = [trial for trial in ended.trials if (trial.server, trial.block) == (server, 1)]
        first, second = sorted(mine, key=lambda trial: trial.shared_start)
        assert {first.load, second.load} == {"full", "steady"}
        assert (first.shared_start, second.shared_start) == (False, True)
        assert second.log == first.log
        assert first.finished <= second.started
        # Only the first was started and warmed up from nothing; both were measured and checked.
        assert {"start", "verify", "warm-up"} <= first.step_seconds.keys()
        assert {"start", "verify"}.isdisjoint(second.step_seconds)
        for trial in mine:
            assert {"warm-up", "measure", "audit"} <= trial.step_seconds.keys()
            assert trial.measurement is not None
            assert trial.setup is not None
            # Beside other tests, answers may take too long for turns at a rate.
            assert (
                trial.measurement.generator.slices > 1 or "for an answer" in trial.setup.turns_note
            )
            assert trial.took_s == pytest.approx(sum(trial.step_seconds.values()), abs=0.5)


@pytest.mark.long
def test_what_fails_under_one_load_is_started_again_for_the_next(run: Run) -> None:
    loads = [{**BOTH_LOADS[0], "duration": 3.0}, BOTH_LOADS[1]]
    ended = run(study("python/dies", "python/plain", **{**SHARED, "loads": loads}))
    dead = [trial for trial in ended.trials if trial.server == "python/dies"]
    assert {trial.load for trial in dead} == {"full", "steady"}
    failed = [trial for trial in dead if trial.load == "full"]
    assert [trial.status for trial in failed] == ["failed"] * len(failed)
    assert not any(trial.shared_start for trial in dead if trial.load == "steady")
    assert any(trial.shared_start for trial in ended.trials if trial.server == "python/plain")
