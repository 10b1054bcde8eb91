"""A run that goes on: one writer, the same trials, and what is not the same refused by name."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from datetime import timedelta
from itertools import starmap
from pathlib import Path

import pytest

from support.planned_run import a_context, planned, study_of
from support.small_study import a_trial, matchups
from support.study_with import study_with
from unit.store.test_store import rewritten
from webdyno.catalog import Catalog
from webdyno.errors import UserError
from webdyno.report.text.facts import summary_line
from webdyno.report.text.planned import sentences
from webdyno.run.bench import observe
from webdyno.run.blocks.context import keep
from webdyno.run.record import passing_notes
from webdyno.run.record.identity import (
    refuse_changed_sources,
    refuse_changed_versions,
    still_to_make,
)
from webdyno.run.record.resume import resumed, to_resume
from webdyno.run.record.resume import study_of as asked_by
from webdyno.run.record.writer import others_under_way, refuse_if_written, sole_writer
from webdyno.run.run_study import no_time, tell_other_budget
from webdyno.run.study.plan import PlacedMatchup
from webdyno.store.findings import ServiceRecord
from webdyno.store.hardware import StoredMachine
from webdyno.store.records import RunRecord, TrialRecord, now
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy
from webdyno.trial.events import Event, Noted

HOLD = """
import sys
from webdyno.run.record.resume import resumed
from webdyno.run.record.writer import sole_writer
from webdyno.store.store import Store
from webdyno.store.records import RunRecord, now

run = RunRecord(id="r", study={}, command="", started=now(), folder=sys.argv[1])
with sole_writer(run, Store.open(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""


def a_run(folder: Path, *trials: TrialRecord) -> RunRecord:
    """A run with these trials."""
    return RunRecord(
        id="r",
        study=StoredStudy(),
        command="",
        started=now(),
        folder=str(folder),
        trials=list(trials),
    )


@pytest.mark.slow
def test_a_run_has_one_writer_and_its_lock_dies_with_it(tmp_path: Path) -> None:
    run, file = a_run(tmp_path / "run"), tmp_path / "results.sqlite"
    store = Store.open(file)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, run.folder, str(file)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        told = rf"run r is under way in process {other.pid}; wait for its end, or stop it"
        with pytest.raises(UserError, match=told), sole_writer(run, store):
            pass
        with pytest.raises(UserError, match=told):
            refuse_if_written(run)
        assert others_under_way(run) == []
        beside = a_run(tmp_path / "beside")
        assert others_under_way(beside) == ["run"]
        other.kill()
    refuse_if_written(run)
    with sole_writer(run, store):
        pass


def test_trials_are_known_by_what_they_are_when_a_block_has_become_larger() -> None:
    study = study_of("600s", servers=["node/http", "go/gin", "go/chi"], scenarios=["json"])
    load = study.loads[0].label()
    every = [m for m in matchups(study) if m.cell.load.label() == load]
    three = [m for m in every if not m.entry.control]
    # Of a run in which go/chi could not be built: two trials in a block, indexes 0 to 3.
    made = {
        block * 2 + place: a_trial(server, block, 1.0, scenario="json", load=load)
        for block in (0, 1)
        for place, server in enumerate(("go/gin", "node/http"))
    }
    left = still_to_make(made, 1, len(three), list(starmap(PlacedMatchup, enumerate(three))))
    assert [m.entry.label for _, m in left.values()] == ["go/chi"]
    assert not set(left) & set(made)
    # Without new trials nothing moves: an index is where its trial stands.
    assert list(still_to_make({}, 1, 3, list(starmap(PlacedMatchup, enumerate(three))))) == [
        3,
        4,
        5,
    ]


def test_changed_sources_are_refused_by_name(tmp_path: Path) -> None:
    sources = {"server": "aa", "scenario": "bb"}
    run = a_run(
        tmp_path,
        *(
            a_trial(server, 0, 1.0, scenario="json").model_copy(update={"sources": sources})
            for server in ("node/http", "go/gin")
        ),
    )
    same = {("node/http", "json"): sources, ("go/gin", "json"): sources}
    refuse_changed_sources(run, same)
    with pytest.raises(UserError, match="changed since: server go/gin; earlier and later"):
        refuse_changed_sources(run, {**same, ("go/gin", "json"): {**sources, "server": "cc"}})
    with pytest.raises(UserError, match="changed since: scenario json;"):
        refuse_changed_sources(run, {**same, ("go/gin", "json"): {**sources, "scenario": "cc"}})
    # What its trials do not record is not known to have changed.
    told = {"warm_up": "ww", "engine": "ee", "webdyno": "mm"}
    refuse_changed_sources(run, {**same, ("go/gin", "json"): {**sources, **told}})
    # A server without that scenario would leave the rest of its blocks out unsaid.
    del same["go/gin", "json"]
    with pytest.raises(UserError, match="changed since: go/gin implements json no more;"):
        refuse_changed_sources(run, same)
    refuse_changed_sources(run, same, skipped={"go/gin"})


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("warm_up", "changed since: the warm-up of go/gin;"),
        ("engine", "changed since: Webdyno's measuring code;"),
        ("webdyno", "changed since: Webdyno's measuring code;"),
    ],
)
def test_another_warm_up_or_measuring_code_is_refused(tmp_path: Path, kind: str, said: str) -> None:
    sources = {"server": "aa", "scenario": "bb", kind: "cc"}
    trial = a_trial("go/gin", 0, 1.0, scenario="json").model_copy(update={"sources": sources})
    run = a_run(tmp_path, trial)
    refuse_changed_sources(run, {("go/gin", "json"): sources})
    with pytest.raises(UserError, match=said):
        refuse_changed_sources(run, {("go/gin", "json"): {**sources, kind: "dd"}})


def test_changed_versions_are_refused_by_name(tmp_path: Path) -> None:
    trial = a_trial("node/http", 0, 1.0).model_copy(update={"versions": {"node": "20.1"}})
    run = a_run(tmp_path, trial)
    refuse_changed_versions(run, {"node/http": {"node": "20.1"}})
    with pytest.raises(UserError, match=r"node was 20\.1 and is 22\.3 \(node/http\)"):
        refuse_changed_versions(run, {"node/http": {"node": "22.3"}})


def test_a_server_on_two_runtimes_is_held_against_the_versions_of_each(tmp_path: Path) -> None:
    own, other = "node/http", "node/http@node-24"
    run = a_run(
        tmp_path,
        a_trial("node/http", 0, 1.0, versions={"node": "20.1"}),
        a_trial("node/http", 0, 1.0, versions={"node": "24.2"}, variant="node-24"),
        a_trial("node/http", 0, 1.0, versions={"node": "24.2"}, variant="node-24", control=True),
    )
    twin = f"{other} (control)"
    then = {own: {"node": "20.1"}, other: {"node": "24.2"}, twin: {"node": "24.2"}}
    refuse_changed_versions(run, then)
    with pytest.raises(UserError) as refused:
        refuse_changed_versions(run, {**then, other: {"node": "24.9"}, twin: {"node": "24.9"}})
    said = "run r: node was 24.2 and is 24.9 (node/http@node-24); earlier"
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("killed", [True, False])
def test_the_time_in_which_a_run_was_dead_is_not_told_as_its_own(
    tmp_path: Path, killed: bool
) -> None:
    began = now() - timedelta(hours=3)
    last = began + timedelta(minutes=10)
    run = a_run(tmp_path, a_trial("go/gin", 0, 1.0, started=began, finished=last))
    run.started, run.finished = began, None if killed else last + timedelta(minutes=1)
    with contextlib.closing(Store.open(tmp_path / "results.sqlite")) as store:
        store.save_run(run)
        store.add_trial(run.trials[0].model_copy(update={"run_id": "r"}))
        again = resumed(store.run("r"))
    assert again.took_s is None
    again.finished = now() + timedelta(minutes=5)
    assert again.took_s == pytest.approx(60 * (15 if killed else 16), abs=30)
    minutes = "15 min" if killed else "16 min"
    assert summary_line(again) == f"1 block, 1 trial, {minutes}"
    # Once more, and an older record, which knows of no pause.
    again.finished -= timedelta(minutes=5)
    assert resumed(again).paused_s == pytest.approx(3600 * 3 - 60 * (10 if killed else 11), abs=30)
    run.finished = began + timedelta(hours=2)
    assert run.took_s == 7200
    assert "paused_s" not in run.model_dump(mode="json")


def test_a_run_that_is_killed_twice_counts_each_pause_once(tmp_path: Path) -> None:
    began = now() - timedelta(hours=3)
    first = a_trial("go/gin", 0, 1.0, started=began, finished=began + timedelta(minutes=10))
    run = a_run(tmp_path, first).model_copy(update={"started": began})
    with contextlib.closing(Store.open(tmp_path / "results.sqlite")) as store:
        # It goes on, and is killed again before another trial is stored.
        store.save_run(resumed(run))
        again = resumed(store.run("r").model_copy(update={"trials": [first]}))
    again.finished = now() + timedelta(minutes=5)
    assert again.took_s == pytest.approx(60 * 15, abs=30)


def test_only_a_run_to_go_on_with_has_to_be_of_a_version_that_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    study = StoredStudy.of(study_of("600s", servers=["node/http", "go/gin"]))
    with contextlib.closing(Store.open(path)) as store:
        for age, (id_, status) in enumerate([("new", "finished"), ("open", "interrupted")]):
            run = a_run(tmp_path / id_).model_copy(
                update={"id": id_, "study": study, "started": now() - timedelta(hours=age)}
            )
            run.status = "finished" if status == "finished" else "interrupted"
            store.save_run(run)
        rewritten(path, "run", lambda held: held["id"] == "new" and held.update(started="soon"))
        assert asked_by(store, "latest", Catalog()).servers == ["node/http", "go/gin"]
        with pytest.raises(UserError, match="run open was made on another machine"):
            to_resume(store, asked_by(store, "open", Catalog()), "latest", Catalog())


def test_a_run_goes_on_by_the_version_that_began_it(tmp_path: Path) -> None:
    fields = {
        "study": StoredStudy.of(study_of("600s")), "status": "interrupted",
        "machine": StoredMachine(fingerprint=observe.machine(noise=False).fingerprint),
    }  # fmt: skip
    run = a_run(tmp_path / "r").model_copy(update=fields)
    with contextlib.closing(Store.open(tmp_path / "results.sqlite")) as store:
        store.save_run(run.model_copy(update={"versions": {"webdyno": "0.0.9"}}))
        told = r"run r was made by Webdyno 0\.0\.9, and this is .*; start a new run"
        with pytest.raises(UserError, match=told):
            to_resume(store, asked_by(store, "r", Catalog()), "r", Catalog())
        store.save_run(run.model_copy(update={"versions": observe.versions()}))
        assert to_resume(store, asked_by(store, "r", Catalog()), "r", Catalog()).id == "r"


def test_a_service_of_another_version_ends_a_run_before_the_trial_is_stored(tmp_path: Path) -> None:
    def beside(block: int, version: str) -> TrialRecord:
        service = ServiceRecord(program="MariaDB", version=version)
        return a_trial("go/gin", block, 1.0, services=[service])

    context = a_context(study_of("600s"), tmp_path)
    context.store.save_run(context.run)
    keep(context, beside(0, "10.11.6"))
    keep(context, a_trial("go/gin", 1, 1.0))  # It ended before a service had started.
    keep(context, beside(2, "10.11.6"))
    with pytest.raises(UserError, match=r"run r: MariaDB was 10\.11\.6 and is 11\.4\.2; earlier"):
        keep(context, beside(3, "11.4.2"))
    assert [trial.block for trial in context.store.run("r").trials] == [0, 1, 2]
    context.store.close()


def test_a_study_of_another_version_is_refused_by_what_is_wrong_with_it(tmp_path: Path) -> None:
    study = study_with(StoredStudy.of(study_of("600s")), {"weather": "fine"})
    run = a_run(tmp_path / "r").model_copy(update={"study": study, "status": "interrupted"})
    with contextlib.closing(Store.open(tmp_path / "results.sqlite")) as store:
        store.save_run(run)
        for name in ("r", "latest"):
            with pytest.raises(UserError, match=r"^the study of run r: .*weather"):
                asked_by(store, name, Catalog())


def test_notes_on_how_a_run_stood_go_when_it_goes_on(tmp_path: Path) -> None:
    kept = ["interrupted by the user", "do not trust the trials of go/gin: its files changed"]
    passing = [
        passing_notes.NONE_BUILT,
        passing_notes.not_without("go/gin"),
        passing_notes.to_continue("webdyno run --resume r"),
        passing_notes.ended_within(2, 60.0),
        passing_notes.other_budget(600.0, 60.0),
    ]
    of_the_plan = [
        passing_notes.too_long(["go/chi"]),
        passing_notes.too_short(["go/chi"], blocks_made=1, blocks=3),
    ]
    for anew, left in ((False, [*kept, *of_the_plan]), (True, kept)):
        run = a_run(tmp_path).model_copy(update={"notes": [*passing, *kept, *of_the_plan]})
        assert resumed(run, anew=anew).notes == left


def test_what_a_plan_says_of_the_budget_holds_of_a_run_that_goes_on_with_another(
    tmp_path: Path,
) -> None:
    def told(budget: str) -> tuple[RunRecord, list[str]]:
        plan = planned(study_of(budget))
        heard: list[Event] = []
        run = a_run(tmp_path).model_copy(update={"plan": plan})
        tell_other_budget(run, plan, 900.0, heard.append)
        assert [event.text for event in heard if isinstance(event, Noted)] == run.notes
        assert run.plan is not None
        return run, sentences(run.plan)

    # A plan of everything is the same for any budget that carries it ...
    run, said = told("700s")
    assert not run.notes
    assert said[0].startswith("In 15 min: all 6 combinations")
    # ... and another one is that of the first budget, which is said.
    run, said = told("100s")
    assert said[0] == "3 blocks of 3 servers planned for 1 min 40 s: Which?"
    assert run.notes == [
        "resumed with a budget of 15 min; what is measured, and what is left out, was planned for "
        "1 min 40 s"
    ]
    assert run.plan is not None
    assert (
        no_time(run.plan, 900.0) == "the budget of 1 min 40 s left no time for it; start a new run"
    )
    longer = "the budget of 1 min 40 s left no time for it; give a longer --budget"
    assert no_time(run.plan, 100.0) == longer
