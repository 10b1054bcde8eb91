"""A study becomes trials in blocks, and trials become verdicts."""

from __future__ import annotations

from itertools import groupby, starmap

import pytest

from support.small_study import a_study, matchups, trials
from webdyno.errors import UserError
from webdyno.run.judgement.judge import judge, still_needed
from webdyno.run.study.narrow import narrowed
from webdyno.run.study.plan import PlacedMatchup, concurrent_groups, order_of_block

PUBLISHED = {
    "kind": "closed",
    "name": "published",
    "method": "as-published",
    "generator": "wrk",
    "connections": 10,
    "duration": "1s",
}


def test_the_control_enters_a_second_time() -> None:
    labels = {matchup.entry.label for matchup in matchups(a_study())}
    assert labels == {"node/http", "go/gin", "go/gin (control)", "go/chi"}
    assert len(matchups(a_study())) == 4 * 2


def test_the_order_of_a_block_is_random_but_repeatable() -> None:
    all_ = matchups(a_study())
    first = [order_of_block(all_, "run-a", block) for block in range(6)]
    assert first == [order_of_block(all_, "run-a", block) for block in range(6)]
    labels = [tuple((m.entry.label, m.cell.scenario.id) for m in order) for order in first]
    assert len(set(labels)) == 6
    assert order_of_block(all_, "run-b", 0) != first[0]
    assert all(sorted(order, key=all_.index) == all_ for order in first)


def test_what_is_compared_lies_close_in_time() -> None:
    sound = [{"kind": "closed", "connections": n, "duration": "1s"} for n in (8, 64)]
    all_ = matchups(a_study(loads=sound))
    orders = [order_of_block(all_, "run-a", block) for block in range(20)]
    cells = [[cell for cell, _ in groupby(order, key=lambda m: m.cell)] for order in orders]
    assert {len(found) for found in cells} == {4}
    # Every cell is first at times, and so is every entry within its cell.
    assert len({found[0].load.label() + found[0].title for found in cells}) == 4
    assert len({order[0].entry.label for order in orders}) == 4


def test_a_cell_with_slices_runs_at_once_and_others_one_by_one() -> None:
    sliced = {"kind": "closed", "connections": 8, "duration": "1s", "slice": "100ms"}
    whole = {"kind": "closed", "connections": 64, "duration": "1s"}
    drawn = order_of_block(matchups(a_study(loads=[sliced, whole])), "run-a", 0)
    order = list(starmap(PlacedMatchup, enumerate(drawn)))
    groups = concurrent_groups(order)
    assert [item for those in groups for item in those] == order
    sizes: dict[str, list[int]] = {load: [] for load in ("closed-8", "closed-64")}
    for those in groups:
        assert len({(m.cell.title, m.cell.load.label()) for _, m in those}) == 1
        sizes[those[0][1].cell.load.label()].append(len(those))
    assert sizes == {"closed-8": [4, 4], "closed-64": [1] * 8}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"slice": "10ms"}, "slice"),
        ({"slice": "2s"}, "slice"),
        ({"slice": "100ms", "generator": "wrk"}, "slice needs method sound and generator"),
        ({"slice": "100ms", "method": "as-published"}, "slice needs method sound and generator"),
        ({"slice": "100ms", "record": True}, "slice and record cannot be combined"),
    ],
)
def test_slices_that_cannot_be_are_refused(changes: dict[str, object], said: str) -> None:
    load = {"kind": "closed", "connections": 8, "duration": "1s", **changes}
    with pytest.raises(ValueError, match=said):
        a_study(loads=[load], method="both")


def test_as_published_loads_run_once_first_and_in_order() -> None:
    sound = {"kind": "closed", "connections": 8, "duration": "1s"}
    both = matchups(a_study(loads=[sound, PUBLISHED], method="both"))
    first = order_of_block(both, "run-a", 0)
    published = [m for m in both if m.cell.load.method == "as-published"]
    assert first[: len(published)] == published
    assert {m.cell.load.method for m in order_of_block(both, "run-a", 1)} == {"sound"}


def test_a_method_without_a_load_is_refused() -> None:
    with pytest.raises(ValueError, match="no load has method 'as-published'"):
        a_study(method="as-published")


def test_narrowing_keeps_parameters_and_moves_a_control_that_is_gone() -> None:
    study = narrowed(a_study(), servers=["node/http"], scenarios=["sha256"], budget=9.0, blocks=2)
    assert study.servers == ["node/http"]
    assert study.control == "node/http"
    assert study.entries()[0].parameters == {"n_max": 7}
    assert (study.budget, study.blocks.min, study.blocks.max) == (9.0, 2, 2)


def test_nonsense_on_the_command_line_is_told() -> None:
    with pytest.raises(UserError, match="key 'method'"):
        narrowed(a_study(), method="guess")


def test_clear_differences_are_ranked_and_end_the_run() -> None:
    study = a_study()
    (verdict,) = judge(study, trials(6))
    assert verdict.groups == [["go/chi"], ["go/gin"], ["node/http"]]
    assert verdict.settled
    assert not still_needed(study, trials(6))
    assert verdict.control is not None
    assert verdict.control.low < 1 < verdict.control.high
    ratio = next(r for r in verdict.ratios if (r.of, r.to) == ("go/chi", "node/http"))
    assert ratio.low < 4 < ratio.high


def test_what_is_settled_is_measured_no_more() -> None:
    study = a_study(margin=0.001)
    seen = trials(8, node=100.0, gin=2000.0, chi=2002.0)
    needed = {entry for entry, _scenario, _load in still_needed(study, seen)}
    assert needed == {"go/gin", "go/gin (control)", "go/chi"}


def test_generator_bound_and_failed_entries_are_not_ranked() -> None:
    seen = [
        t.model_copy(update={"bottleneck": "generator-bound"}) if t.server == "go/chi" else t
        for t in trials(4)
    ]
    seen = [
        t.model_copy(update={"status": "failed", "reason": "wrong answers"})
        if t.server == "node/http"
        else t
        for t in seen
    ]
    (verdict,) = judge(a_study(), seen)
    assert verdict.groups == [["go/gin"]]
    reasons = {left.entry: left.reason for left in verdict.not_ranked}
    assert "generator-bound in 4 of 4" in reasons["go/chi"]
    assert "wrong answers" in reasons["node/http"]


def test_lower_is_better_where_it_is() -> None:
    (verdict,) = judge(a_study(metrics=["cpu_us_per_request"]), trials(6))
    assert verdict.groups[0] == ["go/chi"]
    assert all(ratio.estimate > 1 for ratio in verdict.ratios)


def test_a_verdict_holds_with_the_confidence_of_its_load_and_metric() -> None:
    alike, surer = (
        judge(a_study(confidences=sure), trials(6))[0]
        for sure in ({}, {a_study().loads[0].label(): {"throughput_rps": 0.995}})
    )
    assert (alike.confidence, surer.confidence) == (0.95, 0.995)
    assert surer.ratios[0].low < alike.ratios[0].low < alike.ratios[0].high < surer.ratios[0].high


def test_build_times_may_be_left_out_or_added() -> None:
    assert narrowed(a_study(build_times=True), build_times=False).build_times is False
    assert narrowed(a_study(), build_times=True).build_times is True
    assert narrowed(a_study(build_times=True), blocks=1).build_times is True
