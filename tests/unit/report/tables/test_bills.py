"""Machines and money in the report, from what trials found at an objective."""

from __future__ import annotations

import math

import pytest

from support.study_with import study_with
from support.synthetic_run import build_run
from webdyno.capacity.cost import bills
from webdyno.capacity.records import Rate
from webdyno.report.formats.html import render_html
from webdyno.report.tables.bills import capacity_text, tables
from webdyno.store.document import written
from webdyno.store.records import RunRecord
from webdyno.store.search import SearchRecord
from webdyno.verdict.capacity import capacity

CAPACITY = {"go/net-http": 400.0, "node/fastify": 100.0}


def planned(blocks: int) -> RunRecord:
    run = build_run(blocks=blocks, seconds=1, scenarios=("json",))
    for trial in run.trials:
        rps = CAPACITY.get(trial.server, 0.0) * (1 + 0.01 * trial.block)
        trial.search = SearchRecord(
            objective="p99 < 100ms",
            quantile=0.99,
            limit_s=0.1,
            errors_share=0.001,
            tolerance=0.05,
            probe_rps=500.0,
            kind="met" if rps else "not-met",
            capacity_rps=rps,
            low_rps=rps * 0.95,
            high_rps=rps * 1.05,
            reason="" if rps else "late even when idle",
        )
    run.study = study_with(
        run.study, {"planning": {"traffic": "86.4M/day", "price": "0.10/h", "currency": "EUR"}}
    )
    return run


def test_each_server_has_machines_money_and_what_it_saves() -> None:
    run = planned(blocks=3)
    for trial in run.trials:
        trial.warmup = None  # One of its servers is never steady, and would have no machines.
    (bill,) = bills(run, peak_rps=2000.0, price_per_hour=0.1)
    cheap, dear, *others = bill.lines
    assert (cheap.entry, dear.entry) == ("go/net-http", "node/fastify")
    assert (cheap.machines.needed, dear.machines.needed) == (5, 20)
    assert cheap.capacity.low is not None
    assert cheap.capacity.low < 404.0 < (cheap.capacity.high or 0.0)
    assert cheap.monthly is not None
    assert cheap.monthly.amount == 5 * 730 * 0.1
    assert cheap.saving == 0.75
    assert all(line.monthly is None for line in others)
    assert not any(line.entry.endswith("(control)") for line in bill.lines)


def test_a_server_that_was_never_warm_has_no_figure_but_the_reason() -> None:
    run = planned(blocks=3)
    (bill,) = bills(run, peak_rps=2000.0, price_per_hour=0.1)
    (cold,) = [line for line in bill.lines if line.entry == "java/servlet"]
    assert all(trial.status == "ok" for trial in run.trials if trial.server == "java/servlet")
    assert cold.monthly is None
    assert "still warming" in cold.reason


def test_one_block_takes_the_interval_of_its_search() -> None:
    (bill,) = bills(planned(blocks=1), peak_rps=2000.0, price_per_hour=0.1)
    ends = (bill.lines[0].capacity.low, bill.lines[0].capacity.high)
    assert ends == pytest.approx((380.0, 420.0), rel=2e-3)


def searched(run: RunRecord, server: str) -> list[SearchRecord]:
    return [t.search for t in run.trials if t.entry == server and t.search is not None]


def test_searches_that_agree_do_not_make_a_bill_surer_than_they_are() -> None:
    run = planned(blocks=2)
    for search in searched(run, "go/net-http"):
        search.capacity_rps, search.low_rps, search.high_rps = 400.0, 380.0, 420.0
    (bill,) = bills(run, peak_rps=2000.0, price_per_hour=0.1)
    found = capacity(searched(run, "go/net-http"))
    assert found is not None
    assert bill.lines[0].capacity == Rate(found.rps, found.low_rps, found.high_rps)
    assert found.low_rps < 380 < 420 < found.high_rps


def test_one_block_that_met_it_at_no_rate_is_not_the_answer_of_four() -> None:
    run = planned(blocks=4)
    first = searched(run, "go/net-http")[0]
    first.kind, first.capacity_rps = "not-met", 0.0
    (bill,) = bills(run, peak_rps=2000.0, price_per_hour=0.1)
    assert bill.lines[0].machines.needed == 5
    for search in searched(run, "go/net-http")[:2]:
        search.kind, search.capacity_rps, search.reason = "not-met", 0.0, "late even when idle"
    (bill,) = bills(run, peak_rps=2000.0, price_per_hour=0.1)
    line = next(line for line in bill.lines if line.entry == "go/net-http")
    assert (line.monthly, line.reason) == (None, "late even when idle")


def test_what_a_machine_handles_at_least_bounds_its_bill_from_above() -> None:
    run = planned(blocks=3)
    for search in searched(run, "go/net-http"):
        search.kind, search.capacity_rps, search.low_rps = "at-least", 400.0, 400.0
        search.high_rps, search.reason = math.inf, "max_rate is 400/s"
    row = next(row for row in tables(run)[0].rows if row.entry == "go/net-http")
    assert row.capacity == "at least 400"
    assert row.machines == "at most 7"
    assert row.monthly == "at most 511 EUR"
    assert row.saving.startswith("at least 7")
    assert row.reason == "at least 400/s: max_rate is 400/s"
    (bill,) = bills(run, peak_rps=2000.0, price_per_hour=0.1)
    assert "Infinity" not in written(bill)
    # Where its bill may be the highest, nobody is known to save against it.
    for search in searched(run, "go/net-http"):
        search.capacity_rps = search.low_rps = 50.0
    assert {row.saving for row in tables(run)[0].rows} == {"–"}


def test_a_rate_of_less_than_one_request_a_second_is_not_called_none() -> None:
    assert capacity_text(Rate(0.42, 0.314, 0.55)) == "0.42 [0.31, 0.55]"
    assert capacity_text(Rate(12.34)) == "12.3"
    assert capacity_text(Rate(1_234.5, 1_200.0, 1_300.4)) == "1,234 [1,200, 1,300]"
    assert capacity_text(Rate(0.42, 0.42, math.inf)) == "at least 0.42"


@pytest.mark.slow
def test_the_report_states_what_it_assumes() -> None:
    run = planned(blocks=3)
    (table,) = tables(run)
    assert "86,400,000 requests a day" in table.assumed
    assert "0.1 EUR per hour" in table.assumed
    reasons = {row.entry: row.reason for row in table.rows}
    assert reasons["node/http"] == "late even when idle"
    page = render_html(run)
    assert 'id="cost"' in page
    assert "Saves against the most expensive" in page


@pytest.mark.slow
def test_a_study_that_plans_nothing_has_no_table() -> None:
    run = planned(blocks=1)
    run.study = study_with(run.study, {"planning": None})
    assert tables(run) == []
    assert 'id="cost"' not in render_html(run)
