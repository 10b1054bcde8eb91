"""A gate in pairs: what is run, what is said of it, and the baseline that comes of it."""

from __future__ import annotations

import math
import random
import shutil
from pathlib import Path

import pytest

from support.small_run import a_run
from support.small_study import a_study, a_trial
from support.study_with import study_with
from unit.run.judgement.test_judge_objective import a_search
from webdyno.ab.baselines.baseline import Baseline
from webdyno.ab.baselines.paired import as_baseline, compare_pairs
from webdyno.ab.baselines.paired_study import PairedStudy, pairs_of
from webdyno.catalog import Catalog, StudyManifest
from webdyno.report.formats import comparison
from webdyno.report.formats.compare_document import CompareDocument
from webdyno.report.formats.junit import render_junit
from webdyno.run.blocks.make_blocks import conclude
from webdyno.run.comparison.compare import ComparedRow, Comparison
from webdyno.store.records import RunRecord, Skipped, TrialRecord
from webdyno.store.stored_study import StoredStudy
from webdyno.store.unmeasured_cell import UnmeasuredCell
from webdyno.trial.events import silent

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


def asked(tmp_path: Path, **study: object) -> PairedStudy | str:
    fields = {"servers": ["go/gin"], "scenarios": ["json"], **study}
    return pairs_of(old_run(), a_study(**fields), Catalog(), tmp_path, tmp_path / "into", silent)


# What finds and builds them has tests of its own.
@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each server's baseline is that server as it is today."""
    monkeypatch.setattr(
        "webdyno.ab.baselines.baseline.BaselineFinder.find",
        lambda _finder, today: Baseline(today.server, "its source is the same"),
    )


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is to be built can be."""
    monkeypatch.setattr("webdyno.ab.baselines.paired_study.prepare", lambda *_, **__: ({}, []))


@pytest.mark.usefixtures("found", "built")
def test_both_are_up_at_once_and_take_turns(tmp_path: Path) -> None:
    made = asked(tmp_path)
    assert isinstance(made, PairedStudy)
    assert made.study.servers == ["go/gin-baseline", "go/gin"]
    assert made.study.control == "go/gin-baseline"
    assert made.study.loads[0].in_turns
    assert made.study.loads[0].label() == "closed-8"
    assert made.catalog.server_variant("go/gin-baseline").server.build_id == "go/gin"


@pytest.mark.usefixtures("found", "built")
def test_loads_take_turns_unless_a_service_goes_on_working(tmp_path: Path) -> None:
    loads = [
        {"kind": "closed", "connections": 8, "duration": "1s"},
        {"kind": "open", "phases": ["100/s:1s"], "scale": "half"},
    ]
    made = asked(tmp_path, loads=loads)
    assert isinstance(made, PairedStudy)
    assert [load.in_turns for load in made.study.loads] == [True, True]
    assert made.study.blocks.looks == "late"
    made = asked(tmp_path, loads=loads, scenarios=["session-counter"])
    assert isinstance(made, PairedStudy)
    assert [load.in_turns for load in made.study.loads] == [False, False]


@pytest.mark.usefixtures("found")
def test_a_baseline_that_would_be_called_as_another_server_is_none(tmp_path: Path) -> None:
    server = Catalog().server("go/gin")
    folder = tmp_path / "content" / "servers" / "go"
    shutil.copytree(server.folder, folder / "gin-baseline")
    manifest = folder / "gin-baseline" / "server.toml"
    manifest.write_text(manifest.read_text().replace('name = "gin"', 'name = "gin-baseline"', 1))
    study = a_study(servers=["go/gin", "go/gin-baseline"], scenarios=["json"])
    catalog = Catalog.with_overlay(tmp_path / "content")
    said = pairs_of(old_run(), study, catalog, tmp_path, tmp_path / "into", silent)
    assert said == "go/gin: another server of the study is called go/gin-baseline"


@pytest.mark.usefixtures("found")
def test_an_old_version_that_cannot_be_built_is_named_as_its_server_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "webdyno.ab.baselines.paired_study.prepare",
        lambda entries, *_, **__: (
            {}, [Skipped(server=entries[0].server_variant.server.build_id, reason="no go")]
        ),
    )  # fmt: skip
    assert asked(tmp_path) == "go/gin: its old version cannot be built here: no go"


def test_why_there_are_no_pairs_is_told(tmp_path: Path) -> None:
    assert asked(tmp_path) == "go/gin: run old does not record its source"
    load = {
        "kind": "closed", "method": "as-published", "generator": "wrk", "connections": 1,
        "duration": "1s",
    }  # fmt: skip
    said = asked(tmp_path, loads=[load], method="as-published")
    assert said == "its loads run once, as published"


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
