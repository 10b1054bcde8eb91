"""A gate in pairs: what is said of a run, and the baseline that comes of it."""

from __future__ import annotations

import math
import random

import pytest

from support.searched_trials import a_search
from support.small_run import a_run
from support.small_study import a_study, a_trial
from support.study_with import study_with
from webdyno.ab.baselines.paired import as_baseline, compare_pairs
from webdyno.catalog import StudyManifest
from webdyno.report.formats import comparison
from webdyno.report.formats.compare_document import CompareDocument
from webdyno.report.formats.junit import render_junit
from webdyno.run.blocks.make_blocks import conclude
from webdyno.run.comparison.compare import ComparedRow, Comparison
from webdyno.store.records import RunRecord, Skipped, TrialRecord
from webdyno.store.stored_study import StoredStudy
from webdyno.store.unmeasured_cell import UnmeasuredCell

SERVERS = ["go/gin-baseline", "go/gin", "go/chi-baseline", "go/chi"]
METRICS = ["throughput_rps", "cpu_us_per_request"]


def paired_run(blocks: int = 6, *, again: float = 1.0, **levels: float) -> RunRecord:
    """A run of both; `levels` are those of today, where 1000 is that of every baseline."""
    draw = random.Random(3)
    study = a_study(servers=SERVERS, control=SERVERS[0], scenarios=["json"], metrics=METRICS)
    seen: list[TrialRecord] = []
    for block in range(blocks):
        for label in [*SERVERS, "control"]:
            control = label == "control"
            server = SERVERS[0] if control else label
            level = 1000.0 * again if control else levels.get(server.partition("/")[2], 1000.0)
            seen.append(
                a_trial(
                    server, block, level * math.exp(draw.gauss(0, 0.004)), control=control,
                    index=len(seen), sources={"server": server},
                )
            )  # fmt: skip
    run = a_run("new", seen, study=StoredStudy.of(study), baseline="old", planned_blocks=blocks)
    conclude(study, run)
    return run


def old_run() -> RunRecord:
    study = a_study(servers=["go/gin", "go/chi"], scenarios=["json"], metrics=METRICS)
    seen = [a_trial(name, 0, 1000.0) for name in ("go/gin", "go/chi")]
    return a_run("old", seen, study=StoredStudy.of(study))


def by_place(found: Comparison) -> dict[tuple[str, str], ComparedRow]:
    return {(row.entry, row.metric): row for row in found.rows}


def test_only_the_one_that_became_slower_is_a_regression() -> None:
    found = compare_pairs(old_run(), paired_run(chi=930.0))
    rows = by_place(found)
    assert len(rows) == 4
    assert found.paired
    worse = rows["go/chi", "cpu_us_per_request"]
    assert worse.change is not None
    assert worse.change.low < 0.93 < worse.change.high < 0.95
    assert (round(worse.old, -1), round(worse.new, -1)) == (1000, 1080)
    assert {row.entry for row in found.regressions} == {"go/chi"}
    assert rows["go/gin", "throughput_rps"].trials == (6, 6)
    assert "2 of them" not in comparison.headline(found)
    assert CompareDocument.of(found).paired


def test_a_baseline_whose_digest_is_of_an_older_rule_has_not_changed() -> None:
    before, run = old_run(), paired_run()
    for trial in before.trials:
        trial.sources = {"server": "by an older rule", "scenario": "then"}
    for trial in run.trials:
        trial.sources["scenario"] = "today"
    cautions = "\n".join(compare_pairs(before, run).cautions)
    assert "go/chi and its baseline were both measured as of today: " in cautions
    assert "the scenario's source differs" in cautions
    assert "its source changed" not in cautions


def test_all_intervals_hold_together_whatever_the_study_asked_of_single_verdicts() -> None:
    run = paired_run(chi=930.0)
    asked = by_place(compare_pairs(old_run(), run))
    (load,) = StudyManifest.model_validate(run.study.as_stored()).loads
    run.study = study_with(run.study, {"confidences": {load.label(): dict.fromkeys(METRICS, 0.6)}})
    assert by_place(compare_pairs(old_run(), run)) == asked


def cold_in(run: RunRecord, server: str, *blocks: int) -> RunRecord:
    """The same run, where `server` was not shown to be warm in `blocks`."""
    for trial in run.trials:
        if trial.server == server and trial.block in blocks and not trial.control:
            trial.not_steady = "its speed still changed"
    study = StudyManifest.model_validate(run.study.as_stored())
    run.study = StoredStudy.of(
        study.model_copy(update={"blocks": study.blocks.model_copy(update={"min": 5, "max": 5})})
    )
    conclude(StudyManifest.model_validate(run.study.as_stored()), run)
    return run


@pytest.mark.parametrize("cold", [(0,), (4,), (1, 4), (3, 4)])
def test_a_cold_trial_or_two_of_five_do_not_hide_a_regression(cold: tuple[int, ...]) -> None:
    found = compare_pairs(old_run(), cold_in(paired_run(5, chi=250.0), "go/chi", *cold))
    assert {row.entry for row in found.regressions} == {"go/chi"}
    assert by_place(found)["go/chi", "throughput_rps"].trials == (5, 5 - len(cold))


def test_too_few_warm_trials_are_told_with_the_reason() -> None:
    found = compare_pairs(old_run(), cold_in(paired_run(5, chi=250.0), "go/chi", 0, 2, 4))
    assert not [row for row in found.regressions if row.entry == "go/chi"]
    told = comparison.told_of(by_place(found)["go/chi", "throughput_rps"])
    assert told == (
        "too few trials (go/chi: still warming in 3 of 5 trials: its speed still changed)"
    )


def test_nothing_is_settled_where_the_control_was_not_measured_often_enough() -> None:
    run = paired_run(chi=930.0)
    assert compare_pairs(old_run(), run).regressions
    for kept in (2, 0):
        run.trials = [one for one in run.trials if not one.control or one.block < kept]
        conclude(StudyManifest.model_validate(run.study.as_stored()), run)
        found = compare_pairs(old_run(), run)
        assert not found.regressions
        row = by_place(found)["go/chi", "throughput_rps"]
        assert row.unsure == "the control has too few trials"


def test_nothing_is_settled_where_the_control_differs_from_itself() -> None:
    found = compare_pairs(old_run(), paired_run(again=0.9, chi=930.0))
    assert not found.regressions
    rows = by_place(found)
    assert "the control differs from itself by" in rows["go/chi", "throughput_rps"].unsure
    assert comparison.outcome(rows["go/chi", "throughput_rps"]) == "not settled"
    assert "<failure" not in render_junit(found)


def test_what_fails_today_beside_its_baseline_is_broken() -> None:
    run = paired_run()
    for trial in run.trials:
        if trial.server == "go/chi":
            trial.status, trial.reason = "failed", "answered 500"
    found = compare_pairs(old_run(), run)
    assert [(place.entry, place.broken) for place in found.broken] == [("go/chi", True)]
    assert "answered 500" in found.broken[0].reason
    # One whose baseline fails, too, is broken all the same: it worked when that was measured.
    for trial in run.trials:
        if trial.server == "go/chi-baseline":
            trial.status = "failed"
    assert compare_pairs(old_run(), run).broken


def test_what_could_not_be_built_is_broken() -> None:
    run = paired_run()
    run.trials = [trial for trial in run.trials if trial.server != "go/chi"]
    run.absent = [
        UnmeasuredCell(
            entry=entry, scenario="json", load="closed-8", kind="build-failed", reason="no"
        )
        for entry in ("go/chi", "go/chi-baseline")
    ]
    assert [place.entry for place in compare_pairs(old_run(), run).refused] == ["go/chi"]
    assert compare_pairs(old_run(), run).broken


def renamed(run: RunRecord) -> RunRecord:
    """The same run, in which the user's own server is called as the baseline of another would
    be."""
    text = run.model_dump_json().replace("go/chi", "go/chi-baseline")
    return RunRecord.model_validate_json(text)


def test_a_server_of_the_users_may_be_called_as_a_baseline_is() -> None:
    run = renamed(paired_run())
    assert run.study.servers[2:] == ["go/chi-baseline-baseline", "go/chi-baseline"]
    run.trials = [trial for trial in run.trials if trial.server != "go/chi-baseline"]
    run.absent = [
        UnmeasuredCell(
            entry=entry, scenario="json", load="closed-8", kind="build-failed", reason="no"
        )
        for entry in run.study.servers
    ]
    found = compare_pairs(renamed(old_run()), run)
    assert [place.entry for place in found.broken] == ["go/chi-baseline"]
    run.skipped = [
        Skipped(server=name, reason="no")
        for name in ("go/chi-baseline", "go/chi-baseline-baseline", "go/chi-baseline-v2@java-25")
    ]
    kept = as_baseline(run, renamed(old_run()))
    assert [one.server for one in kept.skipped] == ["go/chi-baseline", "go/chi-baseline-v2@java-25"]


def test_a_server_whose_baseline_was_not_measured_is_not_passed_over() -> None:
    run = paired_run()
    run.trials = [trial for trial in run.trials if trial.server != "go/chi-baseline"]
    reason = "the time budget ended first"
    run.absent = [
        UnmeasuredCell(
            entry=entry, scenario="json", load="closed-8", kind="not-reached", reason=reason
        )
        for entry in SERVERS
    ]
    run.status = "finished"
    found = compare_pairs(old_run(), run)
    assert {row.entry for row in found.rows} == {"go/gin"}
    assert [(place.entry, place.reason, place.broken) for place in found.refused] == [
        ("go/chi", f"in new its baseline was not measured: {reason}", False)
    ]
    assert found.not_reached == found.refused
    # So is one of today's.
    late = run.model_copy(update={"trials": [one for one in run.trials if "chi" not in one.server]})
    other = compare_pairs(old_run(), late)
    assert [(place.entry, place.reason) for place in other.not_reached] == [
        ("go/chi", f"in new not measured: {reason}")
    ]
    assert not other.broken
    # One that never worked is no loss, whichever of the two was not reached.
    never = old_run()
    for trial in never.trials:
        if trial.server == "go/chi":
            trial.status = "failed"
    assert not compare_pairs(never, run).not_reached
    assert not compare_pairs(never, late).not_reached
    # One that fails is broken all the same.
    for trial in run.trials:
        if trial.server == "go/chi":
            trial.status, trial.reason = "failed", "answered 500"
    assert [place.entry for place in compare_pairs(old_run(), run).broken] == ["go/chi"]


def test_the_next_baseline_holds_todays_servers_alone() -> None:
    kept = as_baseline(paired_run(chi=930.0), old_run())
    assert {trial.entry for trial in kept.trials} == {"go/gin", "go/chi"}
    assert (kept.study.name, kept.study.servers) == ("mine", ["go/gin", "go/chi"])
    assert kept.study.control == "go/gin"
    assert set(kept.verdicts[0].entries) == {"go/gin", "go/chi"}


def test_a_server_that_holds_no_more_what_its_baseline_held_is_a_regression() -> None:
    run = paired_run()
    loads = [{"kind": "objective", "objective": "p99 < 100ms", "max_rate": "1000/s"}]
    study = a_study(servers=SERVERS, control=SERVERS[0], scenarios=["json"], loads=loads)
    run.study = StoredStudy.of(study)
    for trial in run.trials:
        fell = trial.server == "go/chi"
        trial.load, trial.bottleneck = "p99 < 100ms", "offered-load"
        trial.search = a_search(500.0 if fell else 1_000.0, "met" if fell else "at-least")
    conclude(study, run)
    found = compare_pairs(old_run(), run)
    assert [row.entry for row in found.regressions] == ["go/chi"]
    rows = by_place(found)
    assert (
        rows["go/chi", "capacity_rps"].note == "the older at least 1,000/s: at 100/s 5% were late"
    )
    # The other holds it as its baseline did: no news, but compared.
    assert comparison.outcome(rows["go/gin", "capacity_rps"]) == "not separated"
    assert comparison.figure(rows["go/gin", "capacity_rps"]) == "1.00x"
