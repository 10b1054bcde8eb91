"""The answer in words: it must claim exactly what the verdicts hold."""

from __future__ import annotations

import math
import re

from support.synthetic_run import failing_aa
from webdyno.report.formats.html import render_html
from webdyno.report.summary import sections
from webdyno.report.text import answer, cautions, facts, sentences, setup
from webdyno.store.records import RunRecord, SetupRecord
from webdyno.store.verdicts import NotRanked, RatioRecord, VerdictRecord


def verdict(
    groups: list[list[str]],
    *,
    outcome: str = "equal",
    metric: str = "throughput_rps",
    **more: object,
) -> VerdictRecord:
    """A verdict in which each group is 1.5 times as good as the next."""
    names = [name for group in groups for name in group]
    place = {name: i for i, group in enumerate(groups) for name in group}
    ratios = []
    for i, of in enumerate(names):
        for to in names[i + 1 :]:
            apart = place[to] - place[of]
            estimate = 1.5**apart
            ratios.append(
                RatioRecord(
                    of=of,
                    to=to,
                    estimate=estimate,
                    low=estimate * 0.98,
                    high=estimate * 1.02,
                    outcome="faster" if apart else outcome,
                )
            )
    fields = {"scenario": "json", "load": "closed-64", "blocks": 5, "settled": True} | more
    return VerdictRecord.model_validate(
        {"metric": metric, "entries": names, "groups": groups, "ratios": ratios, **fields}
    )


def with_verdicts(run: RunRecord, *verdicts: VerdictRecord) -> RunRecord:
    """`run` with other verdicts."""
    return run.model_copy(update={"verdicts": list(verdicts)})


def test_a_clear_winner_is_told_with_its_ratio() -> None:
    assert sentences.sentence(verdict([["a"], ["b"], ["c"]])) == (
        "a is faster than the next best, b, by 1.50x [1.47, 1.53]."
    )


def test_a_tie_behind_the_winner_is_told() -> None:
    assert sentences.sentence(verdict([["a"], ["b", "c"]])) == (
        "a is faster than the next best, b and c, by 1.50x [1.47, 1.53]; "
        "b and c are tied (within 3%)."
    )


def test_a_tie_for_the_first_place_is_no_win() -> None:
    text = sentences.sentence(verdict([["a", "b"], ["c"]]))
    assert text == (
        "a and b are tied (within 3%) and are faster than c by 1.50x [1.47, 1.53] or more."
    )


def test_what_is_not_separated_is_not_called_a_tie() -> None:
    text = sentences.sentence(verdict([["a", "b", "c"]], outcome="not separated"))
    assert text == "a, b and c could not be told apart."


def test_one_unproven_pair_is_enough_to_withhold_the_word_tie() -> None:
    held = verdict([["a", "b", "c"]])
    held.ratios[1] = held.ratios[1].model_copy(update={"outcome": "not separated"})
    assert "tied" not in sentences.sentence(held)


def test_a_chain_of_ties_is_told_as_one() -> None:
    held = verdict([["a", "b", "c"]], outcome="not separated")
    held.ratios[1] = held.ratios[1].model_copy(update={"outcome": "faster"})  # a against c
    assert sentences.sentence(held) == (
        "a and b could not be told apart; c could not be told apart from b."
    )


def chained() -> VerdictRecord:
    """b is told apart from neither a nor c, but c is slower than a; all beat d."""
    held = verdict([["a", "b", "c"], ["d"]], outcome="not separated")
    slower = {"outcome": "faster", "estimate": 4.5, "low": 3.7, "high": 5.5}
    held.ratios[1] = held.ratios[1].model_copy(update=slower)  # a against c
    near = {"estimate": 1.2, "low": 1.1, "high": 1.3}
    held.ratios[5] = held.ratios[5].model_copy(update=near)  # c against d
    return held


def test_who_is_slower_than_one_at_the_first_place_does_not_share_it() -> None:
    held = chained()
    assert sentences.short(held, "json") == "in json, a and b lead and could not be told apart"
    tied = verdict([["a", "b"], ["c"]])
    assert sentences.short(tied, "json") == "in json, a and b lead and are tied (within 3%)"
    assert sentences.sentence(held) == (
        "a and b could not be told apart; c could not be told apart from b;"
        " all are faster than d by 1.20x [1.10, 1.30] or more."
    )
    assert {entry: str(place) for entry, place in held.places().items()} == {
        "a": "1=", "b": "1=", "c": "2=", "d": "4",
    }  # fmt: skip
    assert {entry: str(place) for entry, place in held.places(["c", "d"]).items()} == {
        "c": "1", "d": "2",
    }  # fmt: skip
    assert held.places([]) == {}


def test_in_a_circle_nobody_leads() -> None:
    held = verdict([["a", "b", "c"]], outcome="faster")
    held.ratios[1] = held.ratios[1].model_copy(update={"outcome": "slower"})  # a against c
    assert held.leaders == ["a", "b", "c"]
    assert sentences.sentence(held) == "a, b and c could not all be told apart."


def test_the_lead_that_is_told_is_the_smallest() -> None:
    held = verdict([["a", "b"], ["c"]])
    held.ratios[1] = held.ratios[1].model_copy(update={"estimate": math.nan})  # a against c
    held.ratios[2] = held.ratios[2].model_copy(update={"estimate": 1.4, "low": 1.3, "high": 1.5})
    assert sentences.sentence(held).endswith("faster than c by 1.40x [1.30, 1.50] or more.")


def test_the_smallest_lead_is_no_surer_than_the_least_sure_of_those_it_may_be() -> None:
    held = verdict([["a"], ["b", "c"]], outcome="not separated")
    wide = {"estimate": 1.55, "low": 1.02, "high": 2.4}
    held.ratios[1] = held.ratios[1].model_copy(update=wide)  # a against c
    said = sentences.sentence(held)
    assert said.startswith("a is faster than the next best, b and c, by 1.50x [1.02, 1.53]; ")


def test_other_metrics_have_other_words() -> None:
    text = sentences.sentence(verdict([["a"], ["b"]], metric="p99_us"))
    assert text.startswith("a has a lower p99 latency than the next best, b, by 1.50x")
    text = sentences.sentence(verdict([["a", "b"], ["c"]], metric="memory_peak_bytes"))
    assert "and need less memory than c" in text


def test_who_is_not_ranked_is_told_and_qualifies_the_headline(run: RunRecord) -> None:
    left = NotRanked(entry="z", reason="the load generator was the limit")
    first = verdict([["a"], ["b"]], not_ranked=[left])
    assert sentences.sentence(first).endswith("z is not ranked (the load generator was the limit).")
    second = verdict([["b"], ["a"]], scenario="sha256")
    said = answer.answer(with_verdicts(run, first, second))
    assert said.headline == (
        "In json, a is fastest of the 2 that could be ranked; in sha256, b is fastest."
    )
    assert [name for name, _ in said.parts] == ["json", "sha256"]


def test_a_common_winner_makes_a_short_headline(run: RunRecord) -> None:
    both = [verdict([["a"], ["b"]]), verdict([["a"], ["b"]], scenario="sha256")]
    assert answer.answer(with_verdicts(run, *both)).headline == (
        "a is fastest in both: json and sha256."
    )


def test_the_only_one_that_was_ranked_is_the_first_of_nobody(run: RunRecord) -> None:
    both = [verdict([["a"]]), verdict([["a"]], scenario="sha256")]
    assert answer.answer(with_verdicts(run, *both)).headline == (
        "Only a could be ranked in json and sha256: there is nothing to compare it with."
    )
    assert answer.answer(with_verdicts(run, both[0], verdict([["a"], ["b"]]))).headline == (
        "In json, only a could be ranked; in json, a is fastest."
    )


def test_nothing_separated_makes_an_honest_headline(run: RunRecord) -> None:
    def headline(*outcomes: str) -> str:
        held = [
            verdict([["a", "b"]], outcome=outcome, scenario=f"s{i}")
            for i, outcome in enumerate(outcomes)
        ]
        return answer.answer(with_verdicts(run, *held)).headline

    apart, equal = "not separated", "equal"
    assert headline(apart, apart) == "The servers could not be told apart in s0 and s1."
    assert headline(equal, equal) == "The servers are tied (within 3%) in s0 and s1."
    assert headline(equal, apart) == "The servers could not all be told apart in s0 and s1."


def test_metrics_of_one_scenario_are_told_apart(run: RunRecord) -> None:
    metrics = ("throughput_rps", "p99_us")
    held = [verdict([["a", "b"]], outcome="not separated", metric=metric) for metric in metrics]
    assert answer.answer(with_verdicts(run, *held)).headline == (
        "The servers could not be told apart in json by throughput and json by p99 latency."
    )


def test_a_headline_stays_short_however_much_is_unsettled(run: RunRecord) -> None:
    names = [f"language-{i}/framework-{i}" for i in range(14)]

    def headline(*held: VerdictRecord) -> str:
        said = answer.answer(with_verdicts(run, *held))
        assert len(said.headline) <= answer.LONGEST
        assert len(said.parts) == len(held)  # every verdict is told in full below it
        return said.headline

    unsettled = {"outcome": "not separated", "settled": False}
    many = [verdict([names], scenario=f"middleware-{i}", **unsettled) for i in range(8)]
    assert headline(*many) == "The servers could not be told apart in any of 8 comparisons."
    ties = [verdict([names], scenario=f"middleware-{i}") for i in range(8)]
    assert headline(*ties) == "The servers are tied (within 3%) in all 8 comparisons."
    one = verdict([names], **unsettled)
    assert headline(one) == (
        "language-0/framework-0, language-1/framework-1, language-2/framework-2 and 11 more could "
        "not be told apart."
    )
    wins = [verdict([[name], ["z"]], scenario=name) for name in names]
    assert headline(*wins) == (
        "Of 14 comparisons by throughput, language-0/framework-0 leads 1, language-1/framework-1 "
        "leads 1, language-2/framework-2 leads 1 and 11 others lead 11."
    )
    same = [verdict([["a"], ["b"]], scenario=f"s{i}") for i in range(7)]
    assert headline(*same) == "a is fastest in all 7 comparisons."
    alone = [*same, verdict([["a"]], scenario="alone")]
    assert headline(*alone) == (
        "Of 8 comparisons by throughput, a leads 7 and in 1 a single server could be ranked."
    )
    text = " ".join(cautions.cautions(with_verdicts(run, *many, *same)))
    assert "Not settled in 8 of 15 comparisons after 5 blocks" in text


def test_a_disturbed_machine_is_told(run: RunRecord) -> None:
    noisy = [
        t.model_copy(update={"bottleneck": "machine-noise"}) if t.index % 4 == 0 else t
        for t in run.trials
    ]
    text = " ".join(cautions.cautions(run.model_copy(update={"trials": noisy})))
    assert "took CPU time during 12 of 48 trials. End those programs or lift the quota" in text
    assert "more blocks (--budget, --blocks)" in text


def test_a_control_that_could_hide_much_is_not_called_good(run: RunRecord) -> None:
    held = run.verdicts[0].model_copy(deep=True)
    assert held.control is not None
    held.control = held.control.model_copy(
        update={"low": 0.1, "high": 29.0, "outcome": "not separated"}
    )
    wide = run.model_copy(update={"verdicts": [run.verdicts[1], held]})
    fact = next(f for f in facts.sureness(wide) if f.label == "A/A control")
    assert (fact.value, fact.bad) == ("1.00x [0.10, 29.0]", False)
    assert "could hide" in fact.note


def test_the_worst_of_several_controls_is_shown(run: RunRecord) -> None:
    def ending(low: float, high: float) -> VerdictRecord:
        held = run.verdicts[0].model_copy(deep=True)
        assert held.control is not None
        held.control = held.control.model_copy(
            update={"low": low, "high": high, "outcome": "not separated"}
        )
        return held

    verdicts = [ending(0.94, 1.07), ending(0.78, 1.01), ending(0.9, 1.1)]
    found = facts.sureness(run.model_copy(update={"verdicts": verdicts}))
    assert next(f for f in found if f.label == "A/A control").value.endswith("[0.78, 1.01]")
    page = render_html(run.model_copy(update={"verdicts": verdicts}))
    assert "no difference, as expected" not in page


def test_a_resolution_is_that_of_the_finest_and_of_the_coarsest_verdict(run: RunRecord) -> None:
    def found(*resolutions: float) -> facts.Fact:
        verdicts = [
            run.verdicts[0].model_copy(update={"resolution": one, "metric": metric})
            for one, metric in zip(resolutions, ("throughput_rps", "p99_us"), strict=False)
        ]
        held = facts.sureness(run.model_copy(update={"verdicts": verdicts}))
        return next(fact for fact in held if fact.label == "Resolution")

    both = found(0.258, 0.066)
    assert both.value == "6.6% to 25.8%"
    assert both.note.endswith("; it is coarsest in json by throughput")
    assert found(0.066).value == "6.6%"
    assert found(0.066, 12.0).value == "6.6% to unknown"
    assert found(12.0, 13.0).value == "unknown"


def test_turns_are_told_as_they_were_taken(run: RunRecord) -> None:
    def made(*taken: tuple[int, float | None]) -> str:
        found = run.model_copy(deep=True)
        mine = [trial for row in sections(found)[0].rows for trial in row.trials]
        for place, trial in enumerate(mine):
            turns, turn_s = taken[place % len(taken)]
            trial.setup = SetupRecord(turns=turns, turn_s=turn_s)
        return setup.trial_setup(sections(found)[0]).partition(";")[0]

    assert made((113, 0.04)) == "in 113 turns of 40 ms"
    assert made((113, 0.04), (92, 0.05)) == "in 92 to 113 turns of 40 ms to 50 ms"
    assert made((1, None)) == "in one piece"
    assert re.match(
        r"in 113 turns of 40 ms \(\d+ of \d+ trials in one piece\)", made((113, 0.04), (1, None))
    )


def test_loads_are_named_where_there_are_several(run: RunRecord) -> None:
    both = [verdict([["a"], ["b"]]), verdict([["b"], ["a"]], load="closed-8")]
    bare = with_verdicts(run, *both).model_copy(update={"trials": []})
    assert [n for n, _ in answer.answer(bare).parts] == [
        "json under closed-64",
        "json under closed-8",
    ]


def test_nothing_ranked_and_no_verdict(run: RunRecord) -> None:
    assert sentences.sentence(verdict([])).startswith("Nothing could be ranked")
    assert sentences.sentence(verdict([["a"]])).startswith("Only a could be ranked")
    bare = with_verdicts(run)
    assert answer.answer(bare).headline.startswith("No answer yet: 47 valid trials")


def test_a_failed_control_is_the_first_caution(run: RunRecord) -> None:
    assert not any("A/A" in text for text in cautions.cautions(run))
    bad = failing_aa(run)
    assert "A/A control failed in json" in cautions.cautions(bad)[0]
    assert "1.09x [1.05, 1.13]" in cautions.cautions(bad)[0]
    assert [control.ok for control in cautions.controls(bad)] == [False, False]


def test_an_unsettled_verdict_and_an_interrupted_run_are_told(run: RunRecord) -> None:
    open_verdict = verdict([["a"], ["b"]], settled=False)
    half = with_verdicts(run, open_verdict).model_copy(update={"status": "interrupted"})
    told = cautions.cautions(half)
    assert "interrupted" in told[0]
    assert any("Not settled in json after 5 blocks" in text for text in told)
    assert any("1 of 48 trials did not count" in text for text in told)
