"""What no longer works in the newer run: what is broken, by name and reason, and what is not."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from support.small_run import a_run, with_changes
from support.small_study import a_study, trials
from webdyno.catalog import Catalog
from webdyno.errors import UserError
from webdyno.report.formats import comparison
from webdyno.run.comparison.broken import missing_in, removed_rows
from webdyno.run.comparison.compare import compare_runs
from webdyno.store.agenda import PlannedCell, PlanRecord
from webdyno.store.records import EvidenceRecord, FlagRecord
from webdyno.store.unmeasured_cell import UnmeasuredCell, UnmeasuredKind
from webdyno.trial.assessment.of_the_lab import GENERATOR_FAILED, SERVICE_FAILED
from webdyno.trial.watching.stalls import STOOD

SAID = "the load generator itself stood still for 2.0 s, 1.0 s into the load; measure it again"
STOOD_STILL: dict[str, Any] = {
    "status": "failed",
    "reason": SAID,
    "flags": [FlagRecord(code=STOOD, message=SAID)],
}
TOO_FEW_FILES = "engine: load: 277 open files are needed, but the limit is 64"
NO_LOAD: dict[str, Any] = {
    "status": "error",
    "reason": TOO_FEW_FILES,
    "flags": [FlagRecord(code=GENERATOR_FAILED, message=TOO_FEW_FILES)],
}
NO_MEMORY = "postgresql: 'postgres' exited with 1: FATAL: could not open shared memory segment"
NO_SERVICE: dict[str, Any] = {
    "status": "error",
    "reason": NO_MEMORY,
    "flags": [FlagRecord(code=SERVICE_FAILED, message=NO_MEMORY)],
}
OF_THE_LAB = pytest.mark.parametrize("of_the_lab", [STOOD_STILL, NO_LOAD, NO_SERVICE])


def test_what_the_study_dropped_is_told_and_fails_nothing() -> None:
    study = a_study(servers=["node/http", "go/gin"]).model_dump(mode="json")
    seen = [trial for trial in trials(6) if trial.server != "go/chi"]
    found = compare_runs(a_run("old", trials(6)), a_run("new", seen, study=study))
    assert not found.broken
    assert [place.reason for place in found.refused] == [
        "only in old: the study of new leaves it out"
    ]


def test_what_the_older_run_lacks_is_told_with_its_name() -> None:
    seen = [trial for trial in trials(6) if trial.server != "go/chi"]
    found = compare_runs(a_run("old", seen), a_run("new", trials(6)))
    assert not found.broken
    assert [place.reason for place in found.refused] == ["only in new: old has no trial of it"]


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("build-failed", "'go build' exited with 1: undefined: x"),
        ("toolchain-missing", "needs go >= 99 (found 1.26.8)"),
        ("not-implemented", "does not implement json"),
    ],
)
def test_a_server_that_vanished_is_broken_with_its_reason(
    kind: UnmeasuredKind, reason: str
) -> None:
    seen = [trial for trial in trials(6) if trial.server != "go/chi"]
    row = UnmeasuredCell(entry="go/chi", scenario="json", load="closed-8", kind=kind, reason=reason)
    new = a_run("new", seen, absent=[row], status="finished")
    found = compare_runs(a_run("old", trials(6)), new)
    assert [place.reason for place in found.broken] == [
        f"only in old: in new not measured: {reason}"
    ]
    assert "go/chi (json) no longer works" in comparison.headline(found)
    # A run in which nothing could be built fails by name, too.
    none = compare_runs(a_run("old", trials(6)), a_run("new", [], absent=[row]))
    assert {place.entry for place in none.broken} == {"go/chi", "go/gin", "node/http"}


def test_a_server_that_the_budget_did_not_reach_is_not_broken() -> None:
    row = UnmeasuredCell(
        entry="go/chi", scenario="json", load="closed-8", kind="not-reached", reason="x"
    )
    seen = [trial for trial in trials(6) if trial.server != "go/chi"]
    cell = PlannedCell(
        scenario="json", load="closed-8", blocks=7, planned=True,
        seconds={"node/http": 5, "go/gin": 5, "go/gin (control)": 5, "go/chi": 5},
    )  # fmt: skip
    plan = PlanRecord(
        question="?", scenario="json", load="closed-8", metric="throughput_rps", servers=[],
        budget_s=60, all_s=120, cells=[cell], entries=list(cell.seconds), whole=True,
    )  # fmt: skip
    late = a_run("new", seen, absent=[row], status="finished")
    found = compare_runs(a_run("old", trials(6)), late)
    assert not found.broken
    assert [place.entry for place in found.not_reached] == ["go/chi"]
    assert found.not_reached[0].reason == (
        "only in old: in new not measured: the time budget ended first"
    )
    told = "go/chi (json) was not reached before the time budget ended"
    assert comparison.headline(found) == (
        f"{told}; give a longer --budget; no regression beyond 3% in 2 figures."
    )
    assert "❔" in comparison.markdown(found)
    # By what was planned, or by what its trials took, where that is more.
    planned = compare_runs(a_run("old", trials(6)), late.model_copy(update={"plan": plan}))
    assert f"{told}; everything takes about 3 min (--budget 3m); no" in comparison.headline(planned)
    slow = [
        trial.model_copy(update={"finished": trial.started + timedelta(seconds=20)})
        for trial in seen
    ]
    longer = late.model_copy(update={"plan": plan, "trials": slow})
    headline = comparison.headline(compare_runs(a_run("old", trials(6)), longer))
    assert f"{told}; everything takes about 9 min (--budget 9m); no" in headline
    # A run that was ended reaches nothing more either; one that never worked is no loss.
    ended = compare_runs(a_run("old", trials(6)), late.model_copy(update={"status": "failed"}))
    assert "go/chi (json) was not reached before the run ended" in comparison.headline(ended)
    chi = [trial for trial in trials(6) if trial.server == "go/chi"]
    failed = with_changes(chi, status="failed", reason="wrong")
    assert not compare_runs(a_run("old", [*seen, *failed]), late).not_reached
    # One in which nothing was measured is no bad input.
    none = compare_runs(a_run("old", trials(6)), a_run("new", [], absent=[row], status="finished"))
    assert [place.entry for place in none.not_reached] == ["go/chi"]


def test_a_server_that_was_removed_is_broken_by_name() -> None:
    gone = missing_in(Catalog(), ["go/gin", "go/gone", "node/http@none"])
    assert set(gone) == {"go/gone", "node/http@none"}
    old = a_run("old", [*trials(6), *with_changes(trials(6)[:1], server="go/gone")])
    new = a_run("new", trials(6), absent=removed_rows(old, gone))
    found = compare_runs(old, new)
    assert [place.entry for place in found.broken] == ["go/gone"]
    assert "no server 'go/gone'" in found.broken[0].reason


def test_one_failed_proof_is_enough() -> None:
    seen = trials(6)
    at = next(place for place, trial in enumerate(seen) if trial.server == "go/chi")
    seen[at] = seen[at].model_copy(update={"status": "failed", "reason": "not proven: a sum"})
    found = compare_runs(a_run("old", trials(6)), a_run("new", seen))
    assert [place.entry for place in found.broken] == ["go/chi"]
    assert found.broken[0].reason == "in new 1 of 6 trials failed: not proven: a sum"
    # As often before: it is no news, though it is not hidden either.
    assert not compare_runs(a_run("old", seen), a_run("new", seen)).broken


LATE = EvidenceRecord(claim="the server answers", ok=False, detail="GET /: no answer within 10 s")


@pytest.mark.parametrize(("count", "is_broken"), [(1, False), (2, True), (6, True)])
def test_one_answer_that_came_too_late_is_told_and_a_second_is_enough(
    count: int, is_broken: bool
) -> None:
    mine = [one for one in trials(6) if one.server == "go/chi"]
    others = [one for one in trials(6) if one.server != "go/chi"]
    late = with_changes(mine[:count], status="failed", reason="GET /: no answer", evidence=[LATE])
    found = compare_runs(a_run("old", trials(6)), a_run("new", [*others, *late, *mine[count:]]))
    assert [place.entry for place in found.broken] == (["go/chi"] if is_broken else [])
    told = (
        "go/chi (json): in one of its 6 trials in new an answer came too late, and in no other: "
        "GET /: no answer"
    )
    assert (told in found.cautions) == (not is_broken)
    # Where no other trial shows that it answers, one is enough.
    found = compare_runs(a_run("old", trials(6)), a_run("new", [*others, *late[:1]]))
    assert [place.entry for place in found.broken] == ["go/chi"]


def test_one_trial_that_could_not_be_made_is_not() -> None:
    seen = trials(6)
    at = next(place for place, trial in enumerate(seen) if trial.server == "go/chi")
    seen[at] = seen[at].model_copy(update={"status": "error", "reason": "no port was free"})
    assert not compare_runs(a_run("old", trials(6)), a_run("new", seen)).broken


def test_a_server_that_does_its_work_no_more_is_broken_not_missing() -> None:
    seen = [
        t.model_copy(update={"status": "failed", "reason": "wrong answers"})
        if t.server == "go/chi" else t
        for t in trials(6)
    ]  # fmt: skip
    found = compare_runs(a_run("old", trials(6)), a_run("new", seen))
    assert [place.entry for place in found.broken] == ["go/chi"]
    assert "wrong answers" in found.broken[0].reason
    # The other way round it has been mended, which is no regression.
    assert not compare_runs(a_run("old", seen), a_run("new", trials(6))).broken


@OF_THE_LAB
def test_what_the_lab_could_not_do_breaks_no_server(of_the_lab: dict[str, Any]) -> None:
    old = a_run("old", trials(6))
    for count in (1, 6):
        mine = [one for one in trials(6) if one.server == "go/chi"]
        others = [one for one in trials(6) if one.server != "go/chi"]
        seen = [*others, *with_changes(mine[:count], **of_the_lab), *mine[count:]]
        assert not compare_runs(old, a_run("new", seen)).broken


def test_a_generator_that_failed_for_all_servers_is_told_not_blamed_on_them() -> None:
    failed = a_run("new", with_changes(trials(6), **NO_LOAD))
    with pytest.raises(UserError, match=r"nothing to compare: .* did not count: engine: load: 277"):
        compare_runs(a_run("old", trials(6)), failed)


def test_an_error_that_is_the_servers_is_not_excused_by_a_failed_generator_beside_it() -> None:
    mine = [one for one in trials(6) if one.server == "go/chi"]
    others = [one for one in trials(6) if one.server != "go/chi"]
    own = {**NO_LOAD, "reason": "the server exited with 3"}
    seen = [*others, *with_changes(mine, **own)]
    assert compare_runs(a_run("old", trials(6)), a_run("new", seen)).broken


@OF_THE_LAB
def test_what_the_lab_could_not_do_before_excuses_no_server(of_the_lab: dict[str, Any]) -> None:
    mine = [one for one in trials(6) if one.server == "go/chi"]
    others = [one for one in trials(6) if one.server != "go/chi"]
    old = a_run("old", [*others, *with_changes(mine[:1], **of_the_lab), *mine[1:]])
    failed = with_changes(mine[:1], status="failed", reason="not proven: answered 500")
    assert compare_runs(old, a_run("new", [*others, *failed, *mine[1:]])).broken


def test_a_late_answer_of_the_older_run_excuses_no_wrong_one_of_the_newer() -> None:
    old, new = trials(6), trials(6)
    at = next(place for place, trial in enumerate(old) if trial.server == "go/chi")
    old[at : at + 1] = with_changes(
        old[at : at + 1], status="failed", reason="late", evidence=[LATE]
    )
    new[at : at + 1] = with_changes(new[at : at + 1], status="failed", reason="not proven: a sum")
    found = compare_runs(a_run("old", old), a_run("new", new))
    assert [place.entry for place in found.broken] == ["go/chi"]
