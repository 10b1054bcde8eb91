"""Rows, ranks and reasons."""

from __future__ import annotations

import math
import statistics

import pytest

from support.not_separated import not_separated
from support.synthetic_run import build_run
from webdyno.report import pooled, summary
from webdyno.report.formats.html import render_html
from webdyno.report.numbers import MISSING
from webdyno.store.records import FlagRecord, RunRecord


def test_ranks_share_a_place_in_a_tie_group_and_skip_after_it(run: RunRecord) -> None:
    section = summary.sections(run)[0]
    ranks = [(row.rank, row.tied) for row in section.ranked]
    assert ranks == [(1, False), (2, False), (3, True), (3, True), (5, False), (6, False)]


def test_sections_keep_the_study_order() -> None:
    made = build_run(blocks=1, seconds=1, scenarios=("sha256", "json"))
    assert [s.scenario for s in summary.sections(made)] == ["sha256", "json"]


def test_only_good_trials_make_the_medians(run: RunRecord) -> None:
    row = next(r for r in summary.sections(run)[0].ranked if r.entry == "node/express")
    assert (row.good, len(row.trials)) == (2, 3)
    good = [t.measurement for t in row.trials if t.status == "ok"]
    p99s = [m.latency_us.p99 for m in good if m is not None and m.latency_us is not None]
    assert row.medians["p99_us"] == statistics.median(p99s)


def test_ratios_are_to_the_first(run: RunRecord) -> None:
    section = summary.sections(run)[0]
    first, second = section.ranked[:2]
    assert first.ratio is None
    assert second.ratio is not None
    assert (second.ratio.of, second.ratio.to) == (first.entry, second.entry)


def test_a_server_that_is_ranked_alone_is_not_called_first(run: RunRecord) -> None:
    verdict = run.verdicts[0]
    first = verdict.groups[0][0]
    alone = verdict.model_copy(update={"groups": [[first]]})
    made = summary.sections(run.model_copy(update={"verdicts": [alone]}))[0]
    assert [row.standing for row in made.ranked if row.entry == first] == [MISSING]


def test_the_first_of_a_tie_is_not_called_first(run: RunRecord) -> None:
    assert summary.sections(run)[0].ranked[0].standing == "first"
    verdict = run.verdicts[0]
    joined = [verdict.groups[0] + verdict.groups[1], *verdict.groups[2:]]
    changes = {
        "groups": joined,
        "ratios": [not_separated(pair, *joined[0][:2]) for pair in verdict.ratios],
    }
    tied = run.model_copy(update={"verdicts": [verdict.model_copy(update=changes)]})
    first, second = summary.sections(tied)[0].ranked[:2]
    assert first.standing == "reference"
    assert second.standing.startswith("1.")
    assert summary.sections(run)[0].unranked[0].standing == MISSING


def test_a_ratio_is_found_the_other_way_round(run: RunRecord) -> None:
    verdict = run.verdicts[0]
    known = verdict.ratios[0]
    turned = pooled.find_ratio(verdict, known.to, known.of)
    assert turned is not None
    assert turned.estimate == pytest.approx(1 / known.estimate)
    assert (turned.low, turned.high) == pytest.approx((1 / known.high, 1 / known.low))
    assert turned.low <= turned.estimate <= turned.high
    assert pooled.find_ratio(verdict, "no", "body") is None


def test_everything_unranked_has_a_reason(run: RunRecord) -> None:
    section = summary.sections(run)[0]
    reasons = {row.entry: row.reason for row in section.unranked}
    assert "load generator" in reasons["rust/axum"]
    assert "A/A control" in reasons["go/net-http (control)"]
    assert all(reasons.values())


def test_without_a_verdict_all_are_unranked_and_say_so(run: RunRecord) -> None:
    bare = run.model_copy(update={"verdicts": []})
    section = summary.sections(bare)[0]
    assert not section.ranked
    assert {row.reason for row in section.unranked if not row.control} == {summary.NO_VERDICT}


def test_a_run_under_way_has_no_verdict_yet(run: RunRecord) -> None:
    bare = run.model_copy(update={"verdicts": [], "status": "running"})
    reasons = {row.reason for row in summary.sections(bare)[0].unranked if not row.control}
    assert reasons == {summary.NO_VERDICT_YET}


def test_a_message_with_the_figures_of_one_trial_is_an_example(run: RunRecord) -> None:
    def with_late(*late: str) -> str:
        found = run.model_copy(deep=True)
        section = summary.sections(found)[0]
        (row,) = (row for row in section.rows if row.entry == "node/http")
        assert len(row.trials) >= len(late)
        for trial, ms in zip(row.trials, late, strict=False):
            trial.flags = [FlagRecord(code="late", message=f"sent {ms} ms late")]
        rows = {row.entry: row for row in summary.sections(found)[0].rows}
        ((flag, count),) = rows["node/http"].flags
        assert count == len(late)
        return flag.message

    assert with_late("63", "4", "7") == "for example: sent 63 ms late"
    assert with_late("63", "63") == "sent 63 ms late"


def test_an_entry_whose_trials_all_failed_tells_the_first_reason(run: RunRecord) -> None:
    trials = [
        t.model_copy(update={"status": "error", "reason": "did not start"})
        if t.entry == "rust/axum"
        else t
        for t in run.trials
    ]
    verdict = run.verdicts[0].model_copy(update={"not_ranked": []})
    bare = run.model_copy(update={"trials": trials, "verdicts": [verdict]})
    row = next(r for r in summary.sections(bare)[0].unranked if r.entry == "rust/axum")
    assert row.reason == "3 trials, none valid: did not start"


def test_what_the_data_does_not_bound_is_neither_drawn_nor_lost(run: RunRecord) -> None:
    verdict = run.verdicts[0].model_copy(deep=True)
    known = verdict.ratios[0]
    verdict.ratios[0] = known.model_copy(update={"low": 0.0, "high": math.inf})
    verdict.intervals[known.of] = (0.0, math.inf)
    odd = run.model_copy(update={"verdicts": [verdict]})
    first, second = summary.sections(odd)[0].ranked[:2]
    assert first.interval is None
    assert second.ratio is not None
    assert second.ratio.high == math.inf
    turned = pooled.find_ratio(verdict, known.to, known.of)
    assert turned is not None
    assert (turned.low, turned.high) == (0.0, math.inf)
    assert "Infinity" not in render_html(odd)
    assert "[0.00, ∞]" in render_html(odd)


def test_flags_are_counted_once_a_trial(run: RunRecord) -> None:
    row = next(r for r in summary.sections(run)[0].rows if r.entry == "java/servlet")
    assert [(flag.code, count) for flag, count in row.flags] == [("never-steady", 3)]
