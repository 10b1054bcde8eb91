"""What is not compared is told with what to change."""

from __future__ import annotations

import pytest

from support.compared_run import run_of
from webdyno.ab.conclusion.answer import ComparisonAnswer, answer_of
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.conclusion.remedies import is_of_the_generator, remedy_of, why_whole
from webdyno.ab.study.pairing import Pairing
from webdyno.run.blocks.make_blocks import conclude as judged
from webdyno.store.verdicts import NotRanked
from webdyno.trial.turn_taking.regime import Regime

LONGER = "a longer max under [warmup] in webdyno.toml, with a longer --budget"


def answered(pair: Pairing, load: str, **changes: object) -> ComparisonAnswer:
    """The answer where that is so of all trials under a load."""
    run = run_of(pair, 4)
    run.trials = [
        trial.model_copy(update=changes) if trial.load == load else trial for trial in run.trials
    ]
    judged(pair.study, run)
    return answer_of(pair, run, AnswersCompared(1))


def told(pair: Pairing, load: str, **changes: object) -> str:
    """What it says."""
    found = answered(pair, load, **changes)
    return "\n".join([found.headline, *found.notes])


FEW = (
    "it had given only 1,024 answers in 0.1 s of CPU time; its runtime may compile for 2,000 "
    "answers or 1 s"
)


@pytest.mark.parametrize(
    ("why", "remedy"),
    [
        (FEW, f"give more connections (-c), or {LONGER}"),
        ("it never became steady", f"give {LONGER}"),
    ],
)
def test_what_is_still_warming_is_told_with_what_helps(
    pair: Pairing, why: str, remedy: str
) -> None:
    said = told(pair, "full", not_steady=f"after 10.0 s of warm-up {why}")
    assert f"still warming in 4 of 4 trials: after 10.0 s of warm-up {why}; {remedy}" in said


@pytest.mark.parametrize("quoted", ["503: still warming", "500: generator-bound, had given only 3"])
def test_words_of_the_service_itself_bring_no_remedy(quoted: str) -> None:
    left = NotRanked(entry="b", reason=f"4 of 4 trials did not count: answered {quoted}")
    assert remedy_of("full", left) == ""
    assert not is_of_the_generator("full", left)


def test_a_full_load_that_the_generator_limits_can_be_left_out(pair: Pairing) -> None:
    said = told(pair, "full", bottleneck="generator-bound")
    assert "; --load steady leaves this load out" in said


def test_what_the_generator_cannot_show_leaves_the_answer_to_the_steady_load(
    pair: Pairing,
) -> None:
    def open_claims(load: str) -> set[str]:
        found = answered(pair, load, bottleneck="generator-bound")
        return {one.metric for one in found.claims if one.outcome == "unmeasured" and one.decides}

    assert open_claims("full") == set()
    assert open_claims("steady") == {"cpu_us_per_request"}


@pytest.mark.parametrize("waits", [False, True])
def test_a_load_in_one_piece_is_told_with_what_helps(waits: bool) -> None:
    regime = Regime()
    regime.learn("A (control)", False)
    told = why_whole(regime.note, waits)
    assert told.startswith("A (control) left CPU time unused under full load")
    assert ("end other programs" in told) is not waits
    assert "more connections (-c)" in told
    assert why_whole("an answer takes long", waits).endswith(
        "; small differences take longer to find"
    )
