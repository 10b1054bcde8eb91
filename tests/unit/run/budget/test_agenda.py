"""What a run measures within its budget: the headline three times before anything else once."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from support.planned_run import TWO_LOADS, planned, study_of, timed
from support.small_study import a_study, matchups
from webdyno.catalog import Catalog
from webdyno.catalog.studies.full_headline import full_headline
from webdyno.errors import UserError
from webdyno.run.budget.agenda import SHORTEST_S, agenda, by_priority, planned_matchups
from webdyno.run.budget.estimates import (
    ANSWER_S,
    FURTHER_S,
    Estimate,
    TrialTimes,
    estimates,
)
from webdyno.run.budget.planned import warm_up_expected
from webdyno.run.study.narrow import narrowed
from webdyno.run.study.plan import cells_of, entries_of, matchups_of
from webdyno.store.agenda import PlanRecord
from webdyno.store.timings import Timing
from webdyno.trial.proof.crowd import ASKED_AMID
from webdyno.trial.warm_up import FRESH_S, STILL


def done(plan: PlanRecord) -> list[tuple[str, str]]:
    return [(cell.scenario, cell.load) for cell in plan.cells if cell.planned]


def test_with_time_enough_everything_is_planned() -> None:
    # Four cells of four trials of 8 s thrice, and two of four of 33 s once.
    plan = planned(study_of("700s"))
    assert plan.all_s == 4 * 4 * 8 * 3 + 2 * 4 * 33
    assert plan.everything
    assert len(done(plan)) == 6
    assert not planned(study_of("600s")).everything


def test_with_little_time_the_headline_comes_first_and_three_times() -> None:
    headline = {"scenario": "sha256", "load": "closed-64"}
    plan = planned(study_of("100s", headline=headline))
    # One cell is 4 trials x 8 s x 3 blocks = 96 s.
    assert done(plan) == [("sha256", "closed-64")]
    assert plan.cells[0].blocks == 3
    assert not plan.lengths_s
    assert not plan.left_out


def test_others_follow_in_the_study_s_order_and_the_published_ones_last() -> None:
    headline = {"scenario": "sha256", "load": "closed-64"}
    plan = planned(study_of("520s", headline=headline))
    assert done(plan) == [
        ("sha256", "closed-64"),
        ("json", "closed-8"),
        ("json", "closed-64"),
        ("sha256", "closed-8"),
        ("json", "published"),
    ]
    assert not plan.everything


def test_a_closed_load_is_shortened_before_a_server_is_left_out() -> None:
    plan = planned(study_of("80s"))
    # 80 s are 12 trials of 6.6 s, of which 3 s are not the load's.
    assert plan.lengths_s == {"closed-8": 3.6}
    assert not plan.left_out
    made = planned_matchups(matchups(study_of("80s")), plan)
    lengths = {m.cell.load.label(): m.cell.load.seconds() for m in made}
    assert lengths == {"closed-8": 3.6, "closed-64": 5.0, "published": 30.0}


def test_servers_are_left_out_last_and_never_those_that_the_headline_names() -> None:
    headline = {"scenario": "json", "servers": ["go/chi", "node/http"]}
    plan = planned(study_of("46s", headline=headline))
    assert plan.lengths_s == {"closed-8": SHORTEST_S}
    # Three trials of 5 s in each of three blocks; the control comes behind whom it is about.
    assert plan.entries == ["node/http", "go/gin", "go/chi"]
    assert plan.left_out == ["go/gin (control)"]
    assert planned(study_of("31s", headline=headline)).entries == ["node/http", "go/chi"]
    assert planned(study_of("1s", headline=headline)).entries == ["node/http", "go/chi"]


def test_nobody_is_left_out_where_everybody_is_needed() -> None:
    plan = planned(study_of("1s"), everybody=True)
    assert plan.lengths_s == {"closed-8": SHORTEST_S}
    assert set(plan.entries) == {"node/http", "go/gin", "go/chi", "go/gin (control)"}
    assert not plan.left_out


def test_those_that_the_headline_names_are_kept_in_its_order() -> None:
    asked = matchups(study_of("100s", control=""))
    entries = list(dict.fromkeys(one.entry.label for one in asked))
    first = [entries[2], entries[0]]
    assert by_priority(entries, asked, first) == [entries[2], entries[0], entries[1]]


@pytest.mark.parametrize("budget", ["1s", "46s", "100s", "520s", "9h"])
def test_the_budget_that_is_said_to_be_enough_is(budget: str) -> None:
    plan = planned(study_of(budget))
    assert planned(study_of(f"{plan.all_s}s")).everything


def test_a_plan_follows_from_its_study_and_estimates_alone() -> None:
    assert planned(study_of("80s")) == planned(study_of("80s"))


def test_open_phases_count_as_short_as_they_may_be() -> None:
    loads = [{"kind": "open", "phases": ["10/s:60s", "20/s:60s"], "shortest": "2s"}]
    plan = planned(study_of("200s", loads=loads, method="sound"))
    assert plan.everything
    assert plan.all_s == 2 * 4 * 3 * (3.0 + 4.0)


def test_earlier_runs_tell_what_a_trial_takes() -> None:
    study = study_of("80s")
    seen = [
        Timing("node/http", "json", "closed-8", 5.0, 9.0),
        Timing("node/http", "json", "closed-8", 5.0, 11.0),
        Timing("go/gin", "json", "closed-8", 5.0, 2.0),
    ]
    found = estimates(study, matchups(study), seen)
    assert found["node/http", ("json", "closed-8")] == Estimate(10.0, 5.0)
    # Under another load of the same scenario it starts and warms up alike; its twin is itself.
    assert found["node/http", ("json", "closed-64")] == Estimate(10.0, 5.0)
    assert found["go/gin (control)", ("json", "closed-8")].beside_s == 2.0
    # What was never timed, or has no warm-up, is estimated from the manifests.
    server = Catalog().server_variant("go/chi").server
    # Then also how long its second proof waits for the load beside it, and is asked beside it.
    assert found["go/chi", ("json", "closed-8")].beside_s == pytest.approx(
        2.0 + warm_up_expected(server, study.warmup) + (1 + ASKED_AMID) * 100 * 8 * ANSWER_S
    )
    assert found["node/http", ("json", "published")].beside_s == 2.0


def test_the_clock_learns_from_the_trials_of_the_run() -> None:
    expected: Mapping[tuple[str, tuple[str, str]], float] = {
        ("a", ("json", "x")): 4.0, ("b", ("json", "x")): 2.0, ("b", ("json", "y")): 10.0,
    }  # fmt: skip
    clock = TrialTimes(expected, [timed("a", "json", "x", 0, 8.0), timed("b", "json", "x", 0, 4.0)])
    assert clock.trial_s("a", ("json", "x")) == 8.0
    assert clock.trial_s("b", ("json", "y")) == 20.0


def test_the_clock_of_loads_that_share_a_start_is_their_mean_after_the_first_block() -> None:

    made = [timed("a", "json", load, 0, 9.0) for load in ("x", "y")]
    for block, (first, second) in enumerate([("x", "y"), ("y", "x"), ("x", "y")], start=1):
        shared = timed("a", "json", second, block, 2.0).model_copy(update={"shared_start": True})
        made += [timed("a", "json", first, block, 8.0), shared]
    clock = TrialTimes({}, made)
    assert clock.trial_s("a", ("json", "x")) == pytest.approx((8 + 2 + 8) / 3)
    assert clock.trial_s("a", ("json", "x")) + clock.trial_s("a", ("json", "y")) == 10.0


def test_loads_that_share_a_start_are_expected_to_take_less() -> None:
    loads = [
        {"name": load, "kind": "closed", "connections": 8, "duration": "2s", "slice": "100ms"}
        for load in ("x", "y")
    ]
    apart, shared = (
        a_study(loads=loads, metrics=["throughput_rps"], blocks={"min": 3, "shared_starts": one})
        for one in (False, True)
    )
    alone = estimates(apart, matchups(apart), [])
    found = estimates(shared, matchups(shared), [])
    proof_s = (1 + ASKED_AMID) * 100 * 8 * ANSWER_S
    for at, one in found.items():
        whole_s = alone[at].beside_s - proof_s - STILL * FRESH_S
        # Three blocks of two loads: six starts, or four and two loads more; a proof after each.
        assert one.beside_s == pytest.approx((4 * whole_s + 2 * FURTHER_S) / 6 + proof_s)
        assert one.load_s == alone[at].load_s


@pytest.mark.parametrize(
    ("headline", "message"),
    [
        ({"scenario": "page"}, "headline: scenario 'page' is not one of json, sha256"),
        ({"load": "fast"}, "headline: load 'fast' is not one of closed-8"),
        ({"metric": "p99_us"}, "headline: metric 'p99_us' is not one of throughput_rps"),
        ({"servers": ["go/fiber"]}, "headline: servers 'go/fiber' is not one of node/http"),
    ],
)
def test_a_headline_names_what_the_study_has(headline: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        study_of("9m", headline=headline)


def test_the_headline_of_a_study_that_names_none_is_its_first() -> None:
    published_first = [TWO_LOADS[2], *TWO_LOADS[:2]]
    found = full_headline(study_of("9m", loads=published_first))
    assert (found.scenario, found.load, found.metric) == ("json", "closed-8", "throughput_rps")
    assert found.question == "Which?"
    assert not found.named


def test_options_that_leave_the_headline_out_leave_its_question_out() -> None:
    study = study_of("9m", headline={"question": "Who?", "scenario": "sha256", "load": "closed-64"})
    assert full_headline(narrowed(study, servers=["go/gin", "go/chi"])).question == "Who?"
    other = narrowed(study, scenarios=["json"])
    assert other.headline is None
    assert full_headline(other).scenario == "json"
    as_published = full_headline(narrowed(study, method="as-published"))
    assert as_published.load == "published"
    assert not as_published.named
    pair = study_of("9m", headline={"servers": ["node/http", "go/chi"]})
    assert narrowed(pair, servers=["node/http", "go/gin"]).headline is None


@pytest.mark.parametrize(
    "name", ["swift-vs-node", "session-counter", "sha256-spike", "node-middleware", "point-lookup"]
)
def test_the_large_studies_answer_their_headline_in_six_minutes(name: str) -> None:
    catalog = Catalog()
    study = narrowed(catalog.study(name), budget=360.0)
    found = full_headline(study)
    assert found.named
    assert found.question.endswith("?")
    all_ = matchups_of(entries_of(study, catalog)[0], cells_of(study, catalog))
    plan = agenda(study, all_, estimates(study, all_, []))
    assert (plan.cells[0].scenario, plan.cells[0].load) == (found.scenario, found.load)
    assert (plan.cells[0].blocks, plan.cells[0].planned) == (3, True)
    labels = {m.entry.server_variant.label: m.entry.label for m in all_ if not m.entry.control}
    # Unbuildable ones are no entries at all.
    named = {labels[one] for one in found.servers if one in labels}
    mine = named & set(plan.cells[0].seconds)
    assert len(mine) >= 2
    if len(found.servers) < len(study.servers):
        assert mine <= set(plan.entries)


def test_an_unknown_key_of_the_headline_is_refused() -> None:
    with pytest.raises((ValueError, UserError), match="who"):
        study_of("9m", headline={"who": "all"})


def test_a_gate_measures_everything_alike_whatever_the_budget() -> None:
    study = study_of("46s")
    all_ = matchups(study)
    plan = agenda(study, all_, estimates(study, all_, []), whole=True)
    assert plan.everything
    assert len(done(plan)) == 6
