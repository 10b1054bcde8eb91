"""What a load is judged by, as the metrics themselves say."""

from __future__ import annotations

from webdyno.catalog.terms.metric import METRICS, judged_by


def test_one_metric_leads_and_one_is_searched_for() -> None:
    every = METRICS.all()
    assert [name for name, one in every.items() if one.leads] == [METRICS.leading]
    assert [name for name, one in every.items() if one.searched] == [METRICS.searched]


def test_only_an_objective_is_judged_by_what_is_searched_for() -> None:
    listed = ["capacity_rps", "p99_us", "cpu_us_per_request"]
    assert judged_by(listed, "objective") == ["capacity_rps", "cpu_us_per_request"]
    assert judged_by(listed, "closed") == ["p99_us", "cpu_us_per_request"]
    assert judged_by(["capacity_rps"], "closed") == ["throughput_rps"]
