"""Two runs compared: pairs, refusals, and cautions."""

from __future__ import annotations

import pytest

from support.small_run import a_run, sentinels, with_changes
from support.small_study import a_study, trials
from webdyno.cli.chosen_run import across_of
from webdyno.errors import UserError
from webdyno.run.comparison.comparable import ACROSS
from webdyno.run.comparison.compare import Comparison, compare_runs
from webdyno.store.records import GrownRecord, RunRecord, SetupRecord, TrialRecord
from webdyno.store.stored_study import StoredStudy

WORK = {"server": "s1", "scenario": "w1"}


def outcomes(found: Comparison) -> dict[str, str]:
    return {row.entry: row.change.outcome for row in found.rows if row.change}


def test_runs_are_compared_place_by_place() -> None:
    found = compare_runs(a_run("old", trials(6)), a_run("new", trials(6, chi=3000.0)))
    assert outcomes(found)["go/chi"] == "worse"
    assert outcomes(found)["go/gin"] == "equal"
    assert [row.entry for row in found.regressions] == ["go/chi"]
    assert not found.cautions
    assert not found.refused


def unlike(**changes: object) -> dict[str, tuple[RunRecord, str]]:
    """A run of each kind that may not be compared with the plain one, and the reason's word."""
    seen = with_changes(trials(6), sources=WORK, versions={"go": "1.25"})
    other_load = {"kind": "closed", "connections": 9, "duration": "1s", "name": "closed-8"}
    return {
        "machines": (a_run("new", seen, machine={"fingerprint": "n", "cpu_model": "B"}), "A → B"),
        "versions": (
            a_run("new", with_changes(seen, versions={"go": "1.26"})), "go 1.25 → 1.26",
        ),
        "source": (
            a_run("new", with_changes(seen, sources={**WORK, "server": "s2"})), "its source",
        ),
        "work": (
            a_run("new", seen, study=StoredStudy.of(a_study(loads=[other_load]))),
            "connections 8 → 9",
        ),
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["machines", "versions", "source", "work"])
def test_what_is_unlike_is_refused_unless_told(kind: str) -> None:
    old = a_run("old", with_changes(trials(6), sources=WORK, versions={"go": "1.25"}))
    new, said = unlike()[kind]
    with pytest.raises(UserError, match=f"--across {kind}") as refused:
        compare_runs(old, new)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(compare_runs(old, new, across={kind}).rows) == 3


def test_what_differs_all_the_same_is_told_of_every_kind() -> None:
    old = a_run("old", with_changes(trials(6), sources=WORK, versions={"go": "1.25"}))
    load = {"kind": "closed", "connections": 9, "duration": "1s", "name": "closed-8"}
    new = a_run(
        "new", with_changes(trials(6), sources={**WORK, "server": "s2"}, versions={"go": "1.26"}),
        machine={"fingerprint": "n", "cpu_model": "B"},
        study=StoredStudy.of(a_study(loads=[load])),
    )  # fmt: skip
    (note,) = {row.note for row in compare_runs(old, new, across=set(ACROSS)).rows}
    assert note == (
        "other machine (cpu_model A → B), another load (connections 8 → 9), its source changed, "
        "go 1.25 → 1.26"
    )


def in_turns_of(seen: list[TrialRecord], length_s: float | None) -> list[TrialRecord]:
    return with_changes(seen, setup=SetupRecord(turn_s=length_s))


def test_turns_that_were_taken_are_other_work_not_those_asked_for() -> None:
    old = a_run("old", in_turns_of(trials(6), None))
    study = a_study().model_dump(mode="json")
    study["loads"][0]["slice"] = 0.1
    # Asked for, but some server could not take them.
    whole = a_run("new", in_turns_of(trials(6), None), study=study)
    assert len(compare_runs(old, whole).rows) == 3
    new = a_run("new", in_turns_of(trials(6), 0.1), study=study)
    with pytest.raises(UserError, match=r"in one piece → in turns of 0\.1 s, and .*--across work"):
        compare_runs(old, new)
    assert len(compare_runs(old, new, across={"work"}).rows) == 3
    # Where records do not tell, what was asked for stands.
    with pytest.raises(UserError, match=r"in one piece → in turns of 0\.1 s"):
        compare_runs(a_run("old", trials(6)), a_run("new", trials(6), study=study))


def test_a_generator_that_was_given_more_cores_is_another_placement() -> None:
    usual, wide = "server on core 0-2, generator on core 3", "server on core 0-1, generator on 2-3"
    wider = GrownRecord(scenario="json", load="closed-8", generator_cores=2, placement=wide)
    old = a_run("old", trials(6), placement=usual)
    new = a_run("new", trials(6), placement=usual, grown=[wider])
    with pytest.raises(UserError, match=f"other placement .{usual} → {wide}.; --across work"):
        compare_runs(old, new)
    assert len(compare_runs(old, new, across={"work"}).rows) == 3
    # What it began with does not matter, nor what another cell has.
    assert len(compare_runs(a_run("old", trials(6), placement=wide), new).rows) == 3
    elsewhere = wider.model_copy(update={"scenario": "hello"})
    assert compare_runs(old, a_run("new", trials(6), placement=usual, grown=[elsewhere])).rows


def test_another_verifier_or_other_parameters_are_other_work() -> None:
    old = a_run("old", with_changes(trials(6), sources=WORK))
    other = a_run("new", with_changes(trials(6), sources={**WORK, "scenario": "w2"}))
    with pytest.raises(UserError, match="the scenario's source differs; --across work"):
        compare_runs(old, other)
    study = a_study(scenarios=[{"name": "json", "parameters": {"size": 3}}])
    with pytest.raises(UserError, match="size none → 3"):
        compare_runs(old, a_run("new", old.trials, study=StoredStudy.of(study)))


def test_what_only_one_run_has_is_told_and_the_rest_compared() -> None:
    old = a_run("old", trials(6))
    new = a_run("new", [trial for trial in trials(6) if trial.server != "go/chi"])
    found = compare_runs(old, new)
    assert set(outcomes(found)) == {"go/gin", "node/http"}
    assert [place.entry for place in found.broken] == ["go/chi"]
    assert [place.reason for place in found.refused] == [
        "only in old: in new not measured: it has no trial there"
    ]


def test_what_the_generator_limited_is_not_compared() -> None:
    bound = with_changes(trials(6), bottleneck="generator-bound")
    with pytest.raises(UserError, match="generator-bound in 6 of 6"):
        compare_runs(a_run("old", trials(6)), a_run("new", bound))


def test_a_slower_machine_is_told_and_is_no_regression() -> None:
    slower = trials(6, node=930.0, gin=1860.0, chi=3720.0)
    old = a_run("old", trials(6))
    found = compare_runs(old, a_run("new", slower, sentinels=sentinels(930.0)))
    assert not found.regressions
    assert any("7.0% slower in the newer run" in text for text in found.cautions)
    blind = compare_runs(old, a_run("new", slower, sentinels=[]))
    assert len(blind.regressions) == 3
    assert any("no sentinel" in text for text in blind.cautions)


def test_an_unknown_difference_is_told() -> None:
    assert across_of(["machines,work", "source"]) == {"machines", "work", "source"}
    with pytest.raises(UserError, match="--across planets"):
        across_of(["planets"])


def test_a_run_beside_itself_is_told() -> None:
    run = a_run("same", trials(6))
    assert compare_runs(run, run).cautions == ["both are run same: it is compared with itself"]


def test_trials_without_a_figure_are_not_counted() -> None:
    new = a_run("new", trials(6))
    nothing = new.trials[0].measurement
    assert nothing is not None
    new.trials[0].measurement = nothing.model_copy(update={"throughput_rps": 0.0})
    rows = {row.entry: row.trials for row in compare_runs(a_run("old", trials(6)), new).rows}
    assert rows[new.trials[0].entry] == (6, 5)
