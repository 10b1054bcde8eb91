"""What one more costs, from trials; and what differs between the answers that they kept."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from support.small_study import a_study, a_trial
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.judgement.costs import costs_of
from webdyno.run.study.narrow import narrowed
from webdyno.store.findings import MOST_BODY_BYTES, AnswerRecord
from webdyno.store.records import TrialRecord
from webdyno.verdict.comparison.answer_differences import differences_of

COUNTS = {"m-0": 0, "m-1": 1, "m-5": 5, "m-20": 20}
GROWN = {"s-0": 0, "s-1": 1, "s-3": 3}


def entries(scenario: str, parameter: str, at: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {"name": scenario, "label": label, "parameters": {parameter: value}}
        for label, value in at.items()
    ]


def a_cost_study(**changes: object) -> StudyManifest:
    fields: dict[str, object] = {
        "scenarios": [
            *entries("middleware", "count", COUNTS),
            *entries("stack-8", "depth", GROWN),
            "hello",
        ],
        "costs": [
            {"scenario": "middleware", "parameter": "count", "each": "middleware"},
            {
                "scenario": "stack-8",
                "parameter": "depth",
                "each": "middleware",
                "steps": ["jsonp", "logger", "static"],
            },
        ],
    }
    return a_study(**{**fields, **changes})


def costing(server: str, scenario: str, block: int, us: float, **changes: Any) -> TrialRecord:
    """A trial in which a request takes `us` microseconds of CPU."""
    return a_trial(server, block, 1e6 / us, scenario=scenario, **changes)


def on_a_line(server: str, base_us: float, each_us: float, blocks: int = 3) -> list[TrialRecord]:
    return [
        costing(server, title, block, base_us + each_us * count + 10 * block)
        for block in range(blocks)
        for title, count in COUNTS.items()
    ]


def test_the_slope_of_each_server_in_nanoseconds() -> None:
    trials = on_a_line("go/gin", 40, 2.5) + on_a_line("node/http", 30, 0.25)
    [found] = costs_of(a_cost_study(), trials)
    assert (found.scenario, found.parameter, found.load) == ("middleware", "count", "closed-8")
    # In the study's order, not that of the trials.
    assert [entry.entry for entry in found.entries] == ["node/http", "go/gin"]
    http, gin = found.entries
    assert http.each_ns == pytest.approx(250)
    assert gin.each_ns == pytest.approx(2500)
    assert http.none_ns == pytest.approx(40_000)
    assert http.low_ns == pytest.approx(http.high_ns) == pytest.approx(250)
    assert [point.at for point in http.points] == [0, 1, 5, 20]
    assert http.points[0].cost_ns == pytest.approx(40_000)
    assert (http.points[0].trials, http.blocks) == (3, 3)


def test_one_block_gives_points_and_no_interval() -> None:
    [found] = costs_of(a_cost_study(), on_a_line("go/gin", 40, 2.5, blocks=1))
    [gin] = found.entries
    assert gin.each_ns is None
    assert gin.points[-1].cost_ns == pytest.approx(90_000)


def test_failed_trials_and_the_control_have_no_say() -> None:
    trials = on_a_line("go/gin", 40, 2.5)
    trials += [costing("go/gin", title, 0, 9999, control=True) for title in COUNTS]
    trials += [costing("go/chi", title, 0, 9999, status="failed") for title in COUNTS]
    [found] = costs_of(a_cost_study(), trials)
    assert [entry.entry for entry in found.entries] == ["go/gin"]
    assert found.entries[0].each_ns == pytest.approx(2500)


def test_a_level_that_is_missing_is_a_gap() -> None:
    trials = [costing("go/gin", title, 0, us) for title, us in {"s-0": 10, "s-3": 34}.items()]
    [found] = costs_of(a_cost_study(), trials)
    assert found.entries[0].steps == []


def test_the_steps_of_a_stack_are_named_and_those_left_out_go_together() -> None:
    trials = [
        costing("go/gin", title, block, us + block)
        for block in range(3)
        for title, us in {"s-0": 10, "s-1": 14, "s-3": 34}.items()
    ]
    [found] = costs_of(a_cost_study(), trials)
    [gin] = found.entries
    assert [(step.name, step.at) for step in gin.steps] == [("jsonp", 1), ("logger, static", 3)]
    assert [step.cost_ns for step in gin.steps] == pytest.approx([4000, 20_000])
    assert gin.steps[0].low_ns == pytest.approx(4000)
    assert gin.each_ns is None


def test_a_step_of_one_block_is_told_without_an_interval() -> None:
    trials = [costing("go/gin", title, 0, us) for title, us in {"s-0": 10, "s-1": 14}.items()]
    [found] = costs_of(a_cost_study(), trials)
    [step] = found.entries[0].steps
    assert step.cost_ns == pytest.approx(4000)
    assert (step.low_ns, step.high_ns, step.blocks) == (None, None, 1)


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        ({"scenario": "hello", "parameter": "count", "each": "x"}, "two entries must set it"),
        ({"scenario": "middleware", "parameter": "depth", "each": "x"}, "two entries must set"),
        (
            {"scenario": "stack-8", "parameter": "depth", "each": "x", "steps": ["jsonp"]},
            "'steps' must name every step up to 3",
        ),
    ],
)
def test_a_cost_that_cannot_be_answered_is_refused(cost: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        a_cost_study(costs=[cost])


def test_a_narrowed_study_asks_only_what_is_left() -> None:
    study = a_cost_study()
    assert [cost.scenario for cost in narrowed(study, scenarios=["stack-8"]).costs] == ["stack-8"]
    assert narrowed(study, scenarios=["m-0", "hello"]).costs == []
    assert len(narrowed(study, scenarios=["m-0", "m-5"]).costs) == 1


def answered(server: str, headers: dict[str, str], body: bytes = b"Hi", **changes: Any) -> Any:
    same_body = changes.pop("same_body", True)
    answer = AnswerRecord.of("one", 200, list(headers.items()), body, same_body=same_body)
    return a_trial(server, 0, 1000, answer=answer, **changes)


def test_headers_and_bytes_that_differ_are_told_by_cell() -> None:
    plain = {"Content-Type": "text/plain", "Content-Length": "2"}
    trials = [
        answered("node/http", plain),
        answered("go/gin", {**plain, "X-Extra": "1"}),
        answered("go/chi", {**plain}, b"Ho"),
        answered("go/gin", {**plain, "X-Control": "1"}, control=True),
        answered("go/gin", {**plain, "X-Failed": "1"}, scenario="other", status="failed"),
        answered("go/chi", plain, scenario="other"),
    ]
    found = {(one.scenario, one.what): one.groups for one in differences_of(trials)}
    assert set(found) == {("json", "body"), ("json", "x-extra"), ("json", "size")}
    assert found["json", "x-extra"] == [("not sent", ["go/chi", "node/http"]), ("1", ["go/gin"])]


def test_bodies_that_may_differ_or_were_too_long_are_not_compared() -> None:
    headers = {"Content-Type": "text/plain"}
    drawn = [answered(s, headers, s.encode(), same_body=False) for s in ("go/gin", "go/chi")]
    assert differences_of(drawn) == []
    long = [answered(s, headers, s.encode() * MOST_BODY_BYTES) for s in ("go/gin", "go/chi")]
    assert long[0].answer.body is None
    assert differences_of(long) == []
