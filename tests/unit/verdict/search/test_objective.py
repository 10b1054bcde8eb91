"""The search for the highest rate within an objective, by simulated servers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from unit.verdict.queues import Queue, border, searched
from webdyno.verdict.capacity import capacity
from webdyno.verdict.search.objective import Search, SearchFinding, Unshowable
from webdyno.verdict.search.objective_step import Goal, StepJudgement, StepResult, judge_step

GOAL = Goal(quantile=0.99, limit_s=0.1)


def seen(**changes: object) -> StepResult:
    fields = {
        "offered": 10_000,
        "ok": 10_000,
        "late": 0,
        "busy_connections": 1.0,
        "server_share": 1.0,
    }
    return StepResult(**{**fields, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("what", "outcome"),
    [
        ({"late": 100}, "held"),
        ({"late": 101}, "failed"),
        ({"ok": 9_980}, "failed"),  # 0.2% without an answer, of which 0.1% are allowed
        ({"ok": 9_995, "late": 96}, "failed"),  # what was never answered is late
        ({"medians_s": [0.001, 0.030]}, "failed"),  # falls behind, though not late yet
        ({"medians_s": [0.030, 0.040]}, "held"),  # a queue that waxes
        ({"medians_s": [0.001, 0.005]}, "held"),
        ({"late": 500, "generator_share": 0.95, "server_share": 0.5}, "unheld"),
        ({"late": 500, "generator_share": 0.95, "server_share": 1.0}, "failed"),
        ({"late": 500, "late_from_send": 0, "busy_connections": 0.1}, "unheld"),
        ({"late": 500, "late_from_send": 0, "busy_connections": 1.0}, "failed"),
        # A slow server that falls behind keeps few of many connections busy: its doing all the
        # same, unless it was the sending that came ever later.
        ({"medians_s": [0.001, 0.030], "busy_connections": 0.1}, "failed"),
        ({"medians_s": [0.001, 0.030], "busy_connections": 0.1, "lag_s": 0.001}, "failed"),
        ({"medians_s": [0.001, 0.030], "busy_connections": 0.1, "lag_s": 0.016}, "unheld"),
        ({"offered": 0, "ok": 0}, "unheld"),
    ],
)
def test_a_step_is_judged(what: dict[str, object], outcome: str) -> None:
    late = {"late_from_send": what.get("late", 0), **what}
    assert judge_step(GOAL, seen(**late)).outcome == outcome


def run(search: Search, answer: Callable[[float], str]) -> SearchFinding:
    while (step := search.next()) is not None:
        search.learn(step, StepJudgement(answer(step.rate_rps), "for a test"))  # type: ignore[arg-type]
    return search.finding()


@pytest.mark.parametrize("truth", [300.0, 900.0, 1_000.0, 5_000.0, 30_000.0])
def test_a_sharp_border_is_found_wherever_it_lies(truth: float) -> None:
    found = run(Search(GOAL, probe_rps=1_000), lambda rate: "held" if rate <= truth else "failed")
    assert found.kind == "met"
    assert found.low_rps <= truth <= found.high_rps
    assert found.high_rps / found.low_rps <= 1.05**2
    assert found.held_rps is not None
    assert found.failed_rps is not None
    assert found.held_rps <= truth <= found.failed_rps


def test_the_rate_is_confirmed_and_refuted() -> None:
    search = Search(GOAL, probe_rps=1_000)
    found = run(search, lambda rate: "held" if rate <= 850 else "failed")
    confirming = [step for step, _ in search.history if step.purpose == "confirm"]
    assert confirming
    assert max(step.seconds for step, _ in search.history) == confirming[-1].seconds
    assert found.low_rps * 0.9 <= confirming[-1].rate_rps <= found.capacity_rps


def test_one_stall_does_not_mislead() -> None:
    """The second step fails at half of the capacity: the search comes back."""
    calls = 0

    def answer(rate: float) -> str:
        nonlocal calls
        calls += 1
        return "failed" if calls == 2 or rate > 900 else "held"

    found = run(Search(GOAL, probe_rps=1_000), answer)
    assert found.kind == "met"
    assert found.capacity_rps == pytest.approx(900, rel=0.05)


def test_what_the_generator_cannot_make_is_not_the_servers_failure() -> None:
    found = run(Search(GOAL, probe_rps=1_000), lambda rate: "held" if rate <= 800 else "unheld")
    assert found.kind == "at-least"
    assert 700 < found.capacity_rps <= 800
    assert "generator" in found.reason


def test_a_generator_far_below_the_closed_loop_is_found_as_the_limit() -> None:
    search = Search(GOAL, probe_rps=50_000)
    found = run(search, lambda rate: "held" if rate <= 30_000 else "unheld")
    assert found.kind == "at-least"
    assert 25_000 < found.capacity_rps <= 30_000


def test_where_the_generator_makes_no_rate_nothing_is_said_of_the_server() -> None:
    found = run(Search(GOAL, probe_rps=50_000), lambda _rate: "unheld")
    assert (found.kind, found.capacity_rps, found.low_rps) == ("undecided", 0.0, 0.0)
    assert capacity([found]) is None
    failing = run(Search(GOAL, probe_rps=50_000), lambda _rate: "failed")
    assert capacity([found, failing, failing]) is not None


def test_no_rate_above_the_bound_is_tried() -> None:
    search = Search(GOAL, probe_rps=1_000, max_rps=600)
    found = run(search, lambda _rate: "held")
    assert found.kind == "at-least"
    assert found.capacity_rps == pytest.approx(600)
    assert (found.low_rps, found.high_rps) == (found.capacity_rps, math.inf)
    assert max(step.rate_rps for step, _ in search.history) <= 600
    assert len(search.history) <= 3


def test_an_objective_that_no_rate_meets_is_told_soon() -> None:
    search = Search(GOAL, probe_rps=20_000)
    found = run(search, lambda _rate: "failed")
    assert (found.kind, found.capacity_rps, found.held_rps) == ("not-met", 0.0, None)
    assert "for a test" in found.reason
    assert len(search.history) <= 6


@pytest.mark.parametrize(("quantile", "probe", "ok"), [
    (0.99, 20.0, False), (0.99, 100.0, True), (0.999, 500.0, False), (0.9, 20.0, True),
])  # fmt: skip
def test_what_a_step_cannot_show_is_refused(quantile: float, probe: float, ok: bool) -> None:
    goal = Goal(quantile=quantile, limit_s=0.1)
    if ok:
        assert Search(goal, probe).next() is not None
    else:
        with pytest.raises(Unshowable, match="set step"):
            Search(goal, probe)


def test_steps_are_long_enough_for_the_quantile() -> None:
    search = Search(Goal(quantile=0.99, limit_s=0.1), probe_rps=150)
    run(search, lambda rate: "held" if rate <= 140 else "failed")
    assert all(step.rate_rps * step.seconds >= 1_000 for step, _ in search.history)


SERVERS: dict[str, tuple[Callable[[], Queue], Goal]] = {
    "M/M/1": (lambda: Queue(2_000), GOAL),
    "M/M/1, a tight limit": (lambda: Queue(2_000), Goal(0.99, 0.02)),
    "M/D/8": (lambda: Queue(2_000, servers=8, fixed=True), GOAL),
    "stalls": (lambda: Queue(2_000, stall=(20, 0.15)), GOAL),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["M/M/1", *(pytest.param(n, marks=pytest.mark.long) for n in list(SERVERS)[1:])]
)
def test_intervals_hold_over_three_blocks(name: str) -> None:
    """The capacity from three trials: as often right as it says, and near the truth."""
    make, goal = SERVERS[name]
    truth = border(make, goal, 1_200, 2_400)
    wrong, taken, errors = 0, [], []
    for run_of in range(30):
        random = np.random.default_rng(run_of)
        found = [searched(make(), goal, 2_000 * random.lognormal(0, 0.05), random) for _ in "123"]
        result = capacity([finding for finding, _ in found])
        assert result is not None
        wrong += not result.low_rps <= truth <= result.high_rps
        errors.append(math.log(result.rps / truth))
        taken += [seconds for _, seconds in found]
    assert wrong <= 4  # one or two of 30 are expected
    assert abs(np.mean(errors)) < 0.03
    assert np.mean(taken) < 30


@pytest.mark.slow
def test_slow_phases_of_the_machine_are_between_their_capacities() -> None:
    for seed in range(10):
        random = np.random.default_rng(seed)
        found, _ = searched(Queue(2_000, slow=(30, 5, 0.8)), GOAL, 2_000, random)
        assert 0.75 * 2_000 < found.capacity_rps < 1.1 * 2_000


def finding(kind: str, rps: float) -> SearchFinding:
    return SearchFinding(kind, rps, rps * 0.97, rps * 1.03, rps, rps, "", 8)  # type: ignore[arg-type]


def test_a_capacity_is_no_surer_than_its_searches() -> None:
    alike = capacity([finding("met", 1_000)] * 3)
    assert alike is not None
    assert alike.rps == pytest.approx(1_000)
    assert alike.low_rps < 970 < 1_030 < alike.high_rps
    single = capacity([finding("met", 1_000)])
    assert single is not None
    assert (single.low_rps, single.high_rps) == (pytest.approx(970), pytest.approx(1_030, rel=1e-3))


def test_a_capacity_says_what_most_searches_found() -> None:
    none = capacity([finding("not-met", 0), finding("not-met", 0), finding("met", 5)])
    assert none is not None
    assert (none.kind, none.rps) == ("not-met", 0.0)
    least = capacity([finding("at-least", 900), finding("at-least", 800), finding("met", 900)])
    assert least is not None
    assert (least.kind, least.low_rps, least.high_rps) == ("at-least", 800, math.inf)
    assert capacity([]) is None


def test_one_that_ended_at_a_low_bound_says_nothing_of_the_capacity() -> None:
    met = [finding("met", 1_000), finding("met", 1_010)]
    found = capacity([*met, finding("at-least", 500)])
    assert found is not None
    assert replace(found, trials=2) == capacity(met)
    # Above, it is the least that it is: the capacity is less sure.
    above = capacity([*met, finding("at-least", 1_500)])
    assert above is not None
    assert above.rps > 1_100
    assert above.high_rps > 1_500
    few = capacity([finding("not-met", 0), finding("undecided", 0), finding("at-least", 500)])
    assert few is not None
    assert (few.kind, few.low_rps, few.high_rps) == ("at-least", 500, math.inf)
