"""Each check finds what it is there for, says it in a sentence with its numbers, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.terms.printed import figure
from webdyno.claims import Finding, examine

CLOSED = {"kind": "closed", "connections": 100, "duration": "10s"}


def found(
    *rows: dict[str, Any],
    load: dict[str, Any] | None = None,
    statements: list[dict[str, Any]] | None = None,
    here: float = 0.0,
    **table: Any,
) -> list[Finding]:
    """What the checks say of one table."""
    whole = {
        "name": "made-up",
        "title": "t",
        "source": "s",
        "tables": [{"name": "one", "load": load or CLOSED, "rows": list(rows), **table}],
        "statements": statements or [],
    }
    return examine(parse_manifest(whole, PublishedManifest, "test"), here)


def bad(findings: list[Finding]) -> list[tuple[str, str]]:
    """Check and sureness of what contradicts."""
    return [(one.check, one.sureness) for one in findings if one.outcome == "contradicts"]


def said(findings: list[Finding], check: str) -> str:
    """The sentence of the only contradiction or doubt of that check."""
    [one] = [one for one in findings if one.check == check and one.outcome != "holds"]
    return one.sentence


FINE = {"label": "a", "throughput": 1000, "mean": "100ms"}


def test_figures_reach_as_far_as_their_rounding() -> None:
    one = figure("1.33MB", "bytes")
    assert (one.low, one.value, one.high) == pytest.approx((1.325e6, 1.33e6, 1.335e6))
    assert figure("330.0KB", "bytes", binary=True).value == 330 * 1024
    assert figure("51k", "number").high == 51_500
    assert figure("~1,234,567.5", "number").value == 1_234_567.5
    assert (figure("98,000", "number").low, figure("98,000", "number").text) == (97_999.5, "98,000")
    chart = figure("~0.11", "number")
    assert chart.high == pytest.approx(0.121)
    nothing = figure("~0", "number")
    assert (nothing.low, nothing.high) == (0.0, 0.5)
    for text in ("", "fast", "12parsecs", "-3", "1e9", "inf", "1.2.3", "9" * 40, "98,00", "1,2345"):
        with pytest.raises(ValueError, match="cannot be read"):
            figure(text, "number")


def test_littles_law() -> None:
    assert bad(found(FINE)) == []
    many = found({**FINE, "mean": "200ms"})
    assert bad(many) == [("Little's law", "certain")]
    assert "1000/s × 200ms is 200 requests in flight, more than the stated 100" in said(
        many, "Little's law"
    )
    assert bad(found({**FINE, "mean": "50ms"})) == [("Little's law", "likely")]
    # Milliseconds that are cut off leave up to one each open.
    ticks = {"label": "a", "throughput": 40_000, "mean": "2.0ms"}
    assert bad(found(ticks, load={**CLOSED, "tool": "autocannon"})) == []
    assert bad(found(ticks)) == [("Little's law", "likely")]


def test_time_outs_that_a_mean_leaves_out() -> None:
    row = {"label": "a", "throughput": 20.0, "mean": "1.0s", "samples": 200, "timeouts": 170}
    findings = found(row, load={**CLOSED, "tool": "wrk"})
    assert bad(findings) == [("Little's law", "certain"), ("time-outs", "certain")]
    told = said(findings, "Little's law")
    assert "the mean is that of the 30 of 200 answers that came before the time-out" in told
    assert told.endswith("with 100 in flight at this rate, an answer takes about 5 s.")
    uncounted = {key: value for key, value in row.items() if key != "samples"}
    told = said(found(uncounted, load={**CLOSED, "tool": "wrk"}), "Little's law")
    assert "the mean leaves out the 170 answers after the time-out" in told
    assert "170 of 200 requests (85%)" in said(findings, "time-outs")
    assert bad(found({"label": "a", "samples": 10_000, "timeouts": 3})) == []


def test_samples_against_users_and_phases() -> None:
    users = {"kind": "iterations", "users": 30, "iterations": 1000}
    assert bad(found({"label": "a", "samples": 30_000}, load=users)) == []
    assert bad(found({"label": "a", "samples": 30_001}, load=users)) == [("samples", "certain")]
    assert bad(found({"label": "a", "samples": 20_000}, load=users)) == [("samples", "likely")]
    open_load = {"kind": "open", "phases": ["100/s..300/s:10s", "50/s:2s"]}
    assert bad(found({"label": "a", "samples": 2_100}, load=open_load)) == []
    assert bad(found({"label": "a", "samples": 2_300}, load=open_load)) == [("samples", "certain")]


def test_rate_and_time_against_samples() -> None:
    assert bad(found({"label": "a", "throughput": 1000, "samples": "10.2k"})) == []
    row = {"label": "a", "throughput": 1000.0, "samples": 12_000}
    assert bad(found(row)) == [("rate and time", "likely")]
    measured = found({**row, "duration": "10.02s"})
    assert bad(measured) == [("rate and time", "certain")]
    assert "1000.0/s for 10.02s makes 10,020 requests, not 12000" in said(measured, "rate and time")


def test_parts_of_a_whole() -> None:
    row = {"label": "a", "samples": 1000, "ok": 995, "timeouts": 6}
    assert ("parts", "certain") in bad(found(row))
    assert bad(found({**row, "timeouts": 5})) == []
    failing = {"label": "a", "samples": 320_000, "ok": 320_000, "error_share": "5.00%"}
    assert bad(found(failing)) == [("parts", "certain")]
    assert bad(found({**failing, "ok": 304_000})) == []
    assert bad(found({"label": "a", "error_share": "140%"})) == [("parts", "certain")]


def test_shares_and_means_of_whole_numbers() -> None:
    assert bad(found({"label": "a", "samples": 100, "error_share": "1.0%"})) == []
    assert bad(found({"label": "a", "samples": 100, "error_share": "1.5%"})) == [
        ("whole requests", "certain")
    ]
    load = {**CLOSED, "duration": "5s"}
    assert bad(found({"label": "a", "throughput": "1263.4"}, load=load, rate_every="1s")) == []
    assert bad(found({"label": "a", "throughput": "1263.41"}, load=load, rate_every="1s")) == [
        ("whole requests", "likely")
    ]


@pytest.mark.parametrize(
    "row",
    [
        {"min": "2ms", "median": "1ms"},
        {"p95": "20ms", "p99": "10ms"},
        {"mean": "5.0ms", "max": "4.0ms"},
        {"mean": "5.0ms", "min": "6.0ms"},
        {"mean": "1ms", "median": "4ms"},
        {"mean": "50ms", "median": "1ms", "p99": "2ms", "max": "3ms"},
        {"mean": "1.0ms", "sd": "9.0ms", "max": "5.0ms"},
        {"mean": "2.000ms", "sd": "0.100ms", "p99": "9.000ms"},
        {"mean": "9.0ms", "sd": "0.2ms", "median": "8.0ms"},
        {"throughput": 500, "throughput_max": 400},
        {"max": "2.5s", "mean": "100ms"},
        {"throughput": 500, "throughput_sd": 10, "throughput_max": 540},
        {"throughput": 500, "throughput_sd": 50, "throughput_max": 510},
    ],
)
def test_one_distribution(row: dict[str, Any]) -> None:
    load = {**CLOSED, "tool": "wrk", "timeout": "2s"}
    assert ("order", "certain") in bad(found({"label": "a", **row}, load=load, rate_every="1s"))


def test_figures_that_are_nothing_or_huge_are_no_trouble() -> None:
    nothing = {"label": "a", "throughput": "~0", "samples": 5, "duration": "1s", "cpu_cores": "~0"}
    work = {"sha256_rounds": 1, "sha256_bytes": 10**9}
    assert "~0/s for 1s makes 0 requests, not 5" in said(found(nothing), "rate and time")
    assert found({**nothing, "throughput": 1}, work=work)
    one = {"label": "x", "throughput": "12.5M"}
    total = {"label": "all", "total": True, "throughput": "900M"}
    assert "12.5M/s + 12.5M/s = 25,000,000/s" in said(
        found(one, {**one, "label": "y"}, total), "pace"
    )


def test_bytes_against_answers() -> None:
    row = {"label": "a", "throughput": 1000, "bytes_per_s": "150kB", "samples": 10_000}
    assert bad(found({**row, "read": "1.5MB"})) == []
    assert bad(found({**row, "read": "3.0MB"})) == [("size of an answer", "certain")]
    assert bad(found(row, work={"body_bytes": 8000})) == [("size of an answer", "certain")]
    row = {key: value for key, value in row.items() if key != "samples"}
    other = {**row, "label": "b", "bytes_per_s": "400kB"}
    assert bad(found(row, other)) == [("the same answer", "likely")]
    # Where the body is known to be the same, cookies and other headers may make as much.
    alike = found(row, other, work={"body_bytes": 10})
    assert bad(alike) == [("the same answer", "possible")]
    assert "for the same body of 10 bytes: their headers differ by 250 bytes" in said(
        alike, "the same answer"
    )
    huge = {**other, "bytes_per_s": "4.0MB"}
    assert bad(found(row, huge, work={"body_bytes": 10})) == [("the same answer", "likely")]


def test_answers_too_short_for_a_digest_prove_nothing() -> None:
    row = {"label": "a", "ok": 3442, "read": "6884B"}
    findings = found(row, work={"sha256_rounds": 800, "sha256_bytes": 16_000})
    assert bad(findings) == []
    assert "answers of 2 bytes cannot hold a digest of 32" in said(findings, "size of an answer")


def test_conditions_and_contained_work() -> None:
    one = {"label": "bare", "throughput": 1000, "conditions": {"answer": "okay"}}
    two = {"label": "on it", "throughput": 1300, "runs_on": "bare"}
    findings = found(one, {**two, "conditions": {"answer": "Hello"}})
    assert bad(findings) == [("conditions", "certain"), ("contained work", "likely")]
    assert said(findings, "conditions").endswith("“okay” for bare; “Hello” for on it.")
    assert bad(found(one, {**two, "throughput": 1040})) == []


def test_a_tool_without_cookies_measures_first_visits() -> None:
    work = {"session_by_cookie": True}
    assert bad(found(FINE, load={**CLOSED, "tool": "wrk"}, work=work)) == [("cookies", "certain")]
    assert bad(found(FINE, load={**CLOSED, "tool": "jmeter"}, work=work)) == []


def test_differences_below_what_single_runs_show() -> None:
    near = {"label": "b", "throughput": 1030}
    assert "differ by 3%, less than the 5%" in said(found(FINE, near), "resolution")
    just = {"label": "b", "throughput": 10_496}
    told = said(found({"label": "a", "throughput": 10_000}, just), "resolution")
    assert "differ by 4.96%, less than the 5% by" in told
    checks = [one.check for one in found(FINE, {**near, "throughput": 1200})]
    assert "resolution" not in checks
    assert "resolution" not in [one.check for one in found(FINE, near, runs=10)]
    # Five seconds with a deviation of 20% say no more than 25%.
    load = {**CLOSED, "duration": "5s"}
    rows = [
        {"label": n, "throughput": r, "throughput_sd": 200} for n, r in (("x", 1000), ("y", 1200))
    ]
    assert "two standard errors" in said(found(*rows, load=load, rate_every="1s"), "resolution")
    # A hundred requests under way at the end of a count of two hundred.
    few = [
        {"label": n, "throughput": r, "samples": s} for n, r, s in (("x", 20, 200), ("y", 27, 270))
    ]
    assert "100 requests in flight at the end" in said(found(*few), "resolution")


def test_runs_without_a_name() -> None:
    assert "2 runs have no name: 5/s, 6/s" in said(
        found({"throughput": 5}, {"throughput": 6}), "names"
    )
