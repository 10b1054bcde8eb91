"""The answer in words: it must claim exactly what the verdicts hold."""

from __future__ import annotations

import re

from support.grouped_verdict import verdict, with_verdicts
from webdyno.report.summary import sections
from webdyno.report.text import answer, cautions, sentences, setup
from webdyno.store.records import RunRecord, SetupRecord
from webdyno.store.verdicts import NotRanked, VerdictRecord


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
