"""Rates, lengths and maxima of a row, against each other and against what the load sends."""

from __future__ import annotations

from typing import Any

import pytest

from unit.claims.test_checks import CLOSED, bad, found, said


def test_bytes_a_second_and_time_against_bytes_read() -> None:
    row = {"label": "a", "bytes_per_s": "100.0kB", "read": "1.00MB"}
    assert bad(found(row)) == []
    told = found({**row, "read": "1.20MB"})
    assert bad(told) == [("rate and time", "likely")]
    assert "100.0kB/s for 10s makes 1 MB, not 1.20MB" in said(told, "rate and time")
    assert bad(found({**row, "duration": "9.80s"})) == [("rate and time", "certain")]


def test_a_run_that_is_shorter_or_longer_than_stated() -> None:
    assert bad(found({"label": "a", "duration": "10.1s"})) == []
    assert "it lasted 8.0s, less than the stated 10 s" in said(
        found({"label": "a", "duration": "8.0s"}), "duration"
    )
    assert "it lasted 14.0s, more than" in said(
        found({"label": "a", "duration": "14.0s"}), "duration"
    )


OPEN = {"kind": "open", "phases": ["150/s:60s", "300/s:60s"]}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"throughput": "400"}, "400/s answered are more than the load sends at any time (150/s"),
        ({"at_rate": "400"}, "400/s sent are more than the load sends"),
        (
            {"samples": 27_000, "at_rate": "210"},
            "27000 requests at 210/s take 129 s, not the 120 s of the phases",
        ),
        ({"samples": 27_000, "at_rate": "225"}, None),
        ({"samples": 27_000, "at_rate": "300"}, None),
        ({"throughput": "300"}, None),
        ({"at_rate": 0, "samples": 0}, "0 samples are fewer"),
    ],
)
def test_rates_against_what_an_open_load_sends(row: dict[str, Any], told: str | None) -> None:
    findings = found({"label": "a", **row}, load=OPEN)
    if told is None:
        assert bad(findings) == []
    else:
        [one] = [one for one in findings if one.outcome == "contradicts"]
        assert told in one.sentence
        assert one.sureness == "likely"


def test_a_rate_within_a_ramp_is_one_that_is_sent() -> None:
    load = {"kind": "open", "phases": ["100/s..400/s:10s"]}
    row = {"label": "a", "samples": 2_500, "at_rate": 399}
    assert bad(found(row, load=load)) == []
    assert bad(found({**row, "at_rate": 90}, load=load)) == [("rate and time", "likely")]


def test_rates_of_threads_against_all_of_them() -> None:
    load = {**CLOSED, "tool": "wrk", "threads": 4}
    row = {"label": "a", "throughput": 1000}
    assert bad(found({**row, "thread_rate": "251.0"}, load=load)) == []
    assert "1.38 times the 1000/s: wrk takes a sample only when answers came" in said(
        found({**row, "thread_rate": "345.0"}, load=load), "thread rates"
    )
    assert "are 600/s, less than the 1000/s of all threads together" in said(
        found({**row, "thread_rate": "150.0"}, load=load), "thread rates"
    )


def test_the_highest_of_ten_rates_lies_as_far_above_their_mean_as_a_deviation_allows() -> None:
    row = {"label": "a", "throughput": 500, "throughput_sd": 10, "throughput_max": 520}
    assert bad(found(row, rate_every="1s")) == []
    told = said(found({**row, "throughput_max": 540}, rate_every="1s"), "order")
    assert told == (
        "a: with a deviation of 10/s, the highest of 10 rates is at most 33.9 above their mean of "
        "500/s, but 540/s is printed."
    )
    alone = {**CLOSED, "duration": "1s"}
    assert bad(found({**row, "throughput_max": 540}, rate_every="1s", load=alone)) == []


def test_a_maximum_after_the_time_out_is_recorded_by_some_tools_only() -> None:
    row, load = {"label": "a", "max": "2.5s", "mean": "100ms"}, {**CLOSED, "timeout": "2s"}
    assert "above the time-out of 2 s, after which wrk records no latency" in said(
        found(row, load={**load, "tool": "wrk"}), "order"
    )
    assert bad(found(row, load={**load, "tool": "jmeter"})) == []
