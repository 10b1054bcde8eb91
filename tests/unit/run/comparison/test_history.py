"""The history of a study: levels over runs, changes, and what is left out."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from support.small_run import a_run, sentinels, with_changes
from support.small_study import a_study, a_trial, trials
from webdyno.errors import UserError
from webdyno.report.formats import history as shown
from webdyno.run.comparison.history import history_of
from webdyno.run.comparison.history_document import MACHINE, History
from webdyno.store.findings import ServerRecord
from webdyno.store.hardware import StoredMachine
from webdyno.store.records import FittedLoadRecord, RunRecord, now
from webdyno.store.stored_study import StoredStudy
from webdyno.store.unmeasured_cell import UnmeasuredCell

STARTED = now()


def runs(
    count: int = 12, *, change_at: int = 6, machine: float = 1.0, **fields: object
) -> list[RunRecord]:
    """Runs of which `go/chi` is 20% slower from `change_at` on, as another version of go."""
    draw = random.Random(4)
    found = []
    for index in range(count):
        late = index >= change_at
        speed = machine if late else 1.0

        def level(rps: float, speed: float = speed) -> float:
            return rps * speed * (1 + draw.gauss(0, 0.01))

        chi = level(4000.0 * (0.8 if late else 1.0))
        seen = trials(4, node=level(1000.0), gin=level(2000.0), chi=chi)
        seen = with_changes(seen, versions={"go": "1.26" if late else "1.25"})
        found.append(
            a_run(
                f"run-{index:02}", seen, started=STARTED + timedelta(days=index),
                sentinels=sentinels(1000.0 * speed), **fields,
            )
        )  # fmt: skip
    return found


def changes(history: History) -> dict[str, list[tuple[int, bool]]]:
    return {place.entry: [(c.index, c.better) for c in place.changes] for place in history.places}


def test_a_change_is_found_with_what_differs() -> None:
    history = history_of(runs(), "throughput_rps")
    assert changes(history) == {"node/http": [], "go/gin": [], "go/chi": [(6, False)], MACHINE: []}
    (change,) = next(p.changes for p in history.places if p.entry == "go/chi")
    assert change.differs == "go 1.25 → 1.26"
    assert change.ratio == pytest.approx(0.8, rel=0.03)
    assert 0.77 < change.low < 0.8 < change.high < 0.83


def test_a_change_has_the_commits_that_it_lies_between() -> None:
    found = runs()
    for index, run in enumerate(found):
        run.servers = [
            ServerRecord(entry="go/chi", framework="chi", framework_version="5", commit=f"c{index}")
        ]
    (change,) = next(
        p.changes for p in history_of(found, "throughput_rps").places if p.entry == "go/chi"
    )
    assert (change.after, change.upto) == ("run-05", "run-06")
    assert change.commits == ("c5", "c6")
    (line, *_) = shown.lines(history_of(found, "throughput_rps"))
    assert line.startswith("changed: go/chi, json, closed-8: fell by 20.")
    assert "(worse) between c5 and c6 (runs run-05 and run-06); go 1.25 → 1.26" in line
    # A commit says nothing of a source that differs from it.
    found[6].servers[0].modified = True
    assert "c5" not in shown.lines(history_of(found, "throughput_rps"))[0]


def ab_runs(*, digest: str = "same") -> list[RunRecord]:
    """Runs of `ab`, of which B costs 10% more from the eighth on, while the machine wanders."""
    draw, found = random.Random(9), []
    changes = {"servers": ["shop/a", "shop/b"], "control": "shop/a", "name": "ab-shop"}
    study = a_study(**changes, scenarios=["json"], metrics=["cpu_us_per_request"])
    for index in range(14):
        machine = 1000.0 * (1 + draw.gauss(0, 0.1))
        level = {"shop/a": machine, "shop/b": machine / (1.1 if index >= 8 else 1.0)}
        seen = [
            a_trial(
                name, block, rps * (1 + draw.gauss(0, 0.01)),
                sources={"server": f"{digest}{index if digest else ''}" if name == "shop/b"
                         else digest or str(index)},
            )
            for block in range(3)
            for name, rps in level.items()
        ]  # fmt: skip
        found.append(
            a_run(
                f"run-{index:02}",
                seen,
                started=STARTED + timedelta(days=index),
                sentinels=[],
                study=StoredStudy.of(study),
                command="./webdyno ab v1.0 HEAD",
            )
        )
    return found


def test_the_same_version_a_takes_the_machine_out_of_comparisons() -> None:
    history = history_of(ab_runs(), "cpu_us_per_request")
    assert history.reference == "shop/a"
    assert changes(history)["shop/b"] == [(8, False)]
    (line, *rest) = shown.lines(history)
    assert "shop/b, json, closed-8: rose by" in line
    assert any("by shop/a, which is the same in all runs" in text for text in rest)
    # Of another A in each run nothing is known: no change is found in what the machine hides.
    blind = history_of(ab_runs(digest=""), "cpu_us_per_request")
    assert blind.reference == ""
    assert changes(blind)["shop/b"] == []
    assert "changes in the machine's own speed are not removed" in shown.lines(blind)


def test_the_control_of_a_study_that_is_called_as_those_of_ab_is_no_version_a() -> None:
    found = [run.model_copy(update={"command": "./webdyno run ab-shop"}) for run in ab_runs()]
    assert history_of(found, "cpu_us_per_request").reference == ""


@pytest.mark.parametrize("place", [3, 13])
def test_a_comparison_that_measured_nothing_leaves_the_machine_out_of_the_others(
    place: int,
) -> None:
    # As of a B that could not be built.
    found = ab_runs()
    found[place].trials = []
    history = history_of(found, "cpu_us_per_request")
    assert history.reference == "shop/a"
    assert changes(history)["shop/b"] == [(8, False)]


def test_a_run_that_measured_nothing_needs_no_sentinel() -> None:
    found = runs(machine=0.85)
    found[2].trials, found[2].sentinels = [], []
    history = history_of(found, "throughput_rps")
    assert history.calibrated
    assert changes(history)["go/gin"] == []
    # One that measured servers does.
    found[3].sentinels = []
    assert not history_of(found, "throughput_rps").calibrated


def test_a_slower_machine_is_the_machines_change_alone() -> None:
    found = runs(machine=0.85)
    assert changes(history_of(found, "throughput_rps")) == {
        "node/http": [], "go/gin": [], "go/chi": [(6, False)], MACHINE: [(6, False)],
    }  # fmt: skip
    blind = [run.model_copy(update={"sentinels": []}) for run in found]
    assert changes(history_of(blind, "throughput_rps"))["node/http"] == [(6, False)]


def test_lower_is_better_is_turned() -> None:
    study = a_study(metrics=["cpu_us_per_request"]).model_dump(mode="json")
    history = history_of(runs(study=study), "cpu_us_per_request")
    assert changes(history)["go/chi"] == [(6, False)]


def test_runs_of_other_machines_and_other_work_are_left_out() -> None:
    found = runs()
    found[0] = found[0].model_copy(
        update={"machine": StoredMachine(fingerprint="x", cpu_model="B")}
    )
    other = a_study(loads=[{"kind": "closed", "connections": 8, "duration": "2s"}])
    found[1] = found[1].model_copy(update={"study": StoredStudy.of(other)})
    history = history_of(found, "throughput_rps")
    assert history.left_out == ["run-00: other machine (cpu_model B → A)"]
    assert history.places[0].points[0].value is None
    assert history.places[0].points[1].value is not None


def test_nothing_to_show_is_told() -> None:
    with pytest.raises(UserError, match="no runs"):
        history_of([], "throughput_rps")
    with pytest.raises(UserError, match="metric 'p99_us'"):
        history_of(runs(2), "p99_us")


def cold(found: list[RunRecord], server: str = "node/http") -> list[RunRecord]:
    """The same runs, in which no trial of `server` was shown to be warm."""
    return [
        run.model_copy(
            update={
                "trials": [
                    t.model_copy(update={"not_steady": "too short"}) if t.server == server else t
                    for t in run.trials
                ]
            }
        )
        for run in found
    ]


def test_a_server_without_a_usable_trial_is_left_out_by_name() -> None:
    history = history_of(cold(runs(3)), "throughput_rps")
    reason = "node/http, json, closed-8: no usable trial in 3 of 3 runs (still warming)"
    assert history.left_out == [reason]
    assert f"left out: {reason}" in shown.lines(history)
    assert "node/http" not in {place.entry for place in history.places}


def test_a_server_that_was_never_measured_is_left_out_by_name() -> None:
    found = runs(2)
    for run in found:
        run.absent = [
            UnmeasuredCell(entry=entry, scenario="json", load="closed-8", kind=kind, reason=reason)
            for entry, kind, reason in (
                ("node/koa", "build-failed", "npm ended with 1"),
                ("go/fiber", "not-implemented", "does not implement json"),
            )
        ]
    history = history_of(found, "throughput_rps")
    assert history.left_out == [
        "node/koa, json, closed-8: no usable trial in 2 of 2 runs (npm ended with 1)"
    ]


def test_gaps_of_a_server_that_is_shown_are_told() -> None:
    found = runs(3)
    history = history_of([*cold(found[:1]), *found[1:]], "throughput_rps")
    assert history.left_out == []
    gap = "node/http, json, closed-8: no usable trial in 1 of 3 runs (still warming)"
    assert history.gaps == [gap]
    assert gap in shown.lines(history)
    # A server that the study did not have yet is no gap.
    found[0].trials = [trial for trial in found[0].trials if trial.server != "node/http"]
    assert history_of(found, "throughput_rps").gaps == []


def test_a_server_of_too_few_runs_is_named_where_others_have_enough() -> None:
    found = runs(12)
    few = "too few runs to find a change, ten are needed"
    assert not any(few in line for line in shown.lines(history_of(found, "throughput_rps")))
    for run in found[:3]:
        run.trials = [trial for trial in run.trials if trial.server != "go/gin"]
    said = shown.lines(history_of(found, "throughput_rps"))
    assert f"{few}: go/gin, json, closed-8" in said
    assert any(line.startswith("changed: go/chi") for line in said)


def test_a_newest_run_that_reached_nothing_takes_nothing_from_the_history() -> None:
    found = runs(3)
    for run in found:
        run.fitted_loads = [
            FittedLoadRecord(
                scenario="json", load="closed-8", rate_factor=1, time_factor=1, given=["900/s:4s"]
            )
        ]
    found[-1].trials, found[-1].fitted_loads = [], []
    history = history_of(found, "throughput_rps")
    levels = {place.entry: [point.value for point in place.points] for place in history.places}
    assert [value is not None for value in levels["go/chi"]] == [True, True, False]


def test_where_no_server_has_a_figure_nothing_is_judged() -> None:
    found = runs(3)
    for server in ("node/http", "go/gin", "go/chi"):
        found = cold(found, server)
    history = history_of(found, "throughput_rps")
    said = shown.lines(history)
    assert said[0] == "nothing to judge: no server has a usable trial"
    assert "no change was found" not in said
    assert [place.entry for place in history.places] == [MACHINE]
    assert len(history.left_out) == 3


def test_trials_without_a_figure_are_not_counted() -> None:
    found = runs(2)
    nothing = found[0].trials[0].measurement
    assert nothing is not None
    found[0].trials[0].measurement = nothing.model_copy(update={"throughput_rps": 0.0})
    history = history_of(found, "throughput_rps")
    points = next(p.points for p in history.places if p.entry == found[0].trials[0].entry)
    assert [point.trials for point in points] == [3, 4]
