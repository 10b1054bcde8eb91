"""Who serves some connections far more often is ranked by everything but its median latency."""

from __future__ import annotations

from support.small_study import a_study, trials
from webdyno.run.judgement.judge import judge
from webdyno.run.judgement.unrankable import why_unrankable_by_latency
from webdyno.store.records import FlagRecord, TrialRecord

FLAG = FlagRecord(code="uneven", message="some connections got far more answers than others")


def flagged(blocks: set[int], code: str = "uneven") -> list[TrialRecord]:
    """Trials of four blocks, of which those of go/chi in `blocks` have the flag."""
    flag = FLAG.model_copy(update={"code": code})
    return [
        one.model_copy(update={"flags": [flag]})
        if one.entry == "go/chi" and one.block in blocks
        else one
        for one in trials(4)
    ]


def test_half_of_the_trials_make_it_uneven() -> None:
    assert (
        why_unrankable_by_latency("go/chi", flagged({1, 2})) == f"in 2 of 4 trials {FLAG.message}"
    )
    assert why_unrankable_by_latency("go/chi", flagged({1})) == ""
    assert why_unrankable_by_latency("go/chi", flagged({0, 1, 2, 3}, "stalled")) == ""


def test_only_the_median_latency_does_not_rank_it() -> None:
    study = a_study(metrics=["throughput_rps", "p50_us", "p99_us", "cpu_us_per_request"])
    left_out = {
        verdict.metric
        for verdict in judge(study, flagged({0, 1, 2, 3}))
        if "go/chi" in {left.entry for left in verdict.not_ranked}
    }
    assert left_out == {"p50_us"}
