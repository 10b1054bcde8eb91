"""Rows that were loaded together, and the row of all of them."""

from __future__ import annotations

from unit.claims.test_checks import bad, found, said


def test_an_equal_pace_that_servers_cannot_have() -> None:
    users = {"kind": "iterations", "users": 100, "iterations": 10}
    one = {"label": "x", "throughput": 640.0, "mean": "106ms"}
    other = {"label": "y", "throughput": 643.0, "mean": "47ms"}
    findings = found(one, other, load=users)
    assert ("pace", "likely") in bad(findings)
    assert "one group of about 98 users" in said(findings, "pace")
    assert "pace" not in dict(bad(found(one, {**other, "throughput": 900.0}, load=users)))
    open_load = {"kind": "open", "phases": ["640/s:10s"]}
    assert "pace" not in dict(bad(found(one, other, load=open_load)))


def test_a_total_tells_whether_rows_ran_side_by_side() -> None:
    one = {"label": "x", "samples": 100, "throughput": 50.0, "mean": "10ms"}
    two = {**one, "label": "y"}
    total = {"label": "all", "total": True, "samples": 200, "throughput": 50.0, "mean": "10ms"}
    load = {"kind": "open", "phases": ["50/s:2s"]}
    assert bad(found(one, two, total, load=load)) == []
    beside = found(one, two, {**total, "throughput": 100.0}, load=load)
    assert bad(beside) == [("pace", "certain")]
    assert "The total of 100.0/s is 50.0/s + 50.0/s: all" in said(beside, "pace")
    beside = found(one, two, {**total, "throughput": 99.0}, load=load)
    assert bad(beside) == [("pace", "certain")]
    assert "The total of 99.0/s is nearly 50.0/s + 50.0/s = 100/s: all" in said(beside, "pace")
    beside = found(one, two, {**total, "throughput": 80.0}, load=load)
    assert bad(beside) == [("pace", "likely")]
    assert "is well above that of any row, with 50.0/s + 50.0/s = 100/s: all" in said(
        beside, "pace"
    )
    more = found(one, two, {**total, "samples": 210}, load=load)
    assert bad(more) == [("total", "certain")]
    assert "The rows have 100 + 100 = 200 samples, but the total has 210." in said(more, "total")
    assert bad(found(one, two, {**total, "mean": "30ms"}, load=load)) == [("total", "certain")]


def test_a_total_has_the_errors_the_bytes_and_the_extremes_of_its_rows() -> None:
    load = {"kind": "iterations", "users": 1, "iterations": 1000}
    rest = {"throughput": 100.0, "min": "1ms", "max": "9ms"}
    one = {"label": "x", "samples": 1000, "error_share": "1.0%", "bytes_per_s": "18.0kB", **rest}
    two = {**one, "label": "y", "error_share": "3.0%", "bytes_per_s": "22.0kB"}
    two |= {"min": "5ms", "max": "8ms"}
    total = {**one, "label": "all", "total": True, "samples": 2000, "error_share": "2.0%"}
    total |= {"bytes_per_s": "20.0kB"}
    findings = found(one, two, total, load=load)
    assert bad(findings) == []
    held = [each.sentence for each in findings if each.outcome == "holds"]
    assert "The total's share of errors fits those of the rows: 2.0%." in held
    assert "The total's bytes/s fit those of the rows: 20.0kB/s." in held
    for change, told in (
        ({"error_share": "2.5%"}, "The rows have about 10 + 30 errors, but 2.5% of 2000 are 50."),
        ({"bytes_per_s": "25.0kB"}, "received 400 kB, but the total's 25.0kB/s make 500 kB."),
        ({"max": "8ms"}, "The total's maximum is 8ms, but that of the rows is 9ms."),
        ({"min": "3ms"}, "The total's minimum is 3ms, but that of the rows is 1ms."),
    ):
        assert said(found(one, two, {**total, **change}, load=load), "total").endswith(told)


def test_extremes_that_were_read_from_a_chart_may_differ_a_little() -> None:
    load = {"kind": "iterations", "users": 1, "iterations": 1000}
    one = {"label": "x", "samples": 1000, "max": "~1200ms"}
    two = {"label": "y", "samples": 1000, "max": "~700ms"}
    total = {"label": "all", "total": True, "samples": 2000}
    assert bad(found(one, two, {**total, "max": "~1210ms"}, load=load)) == []
    assert bad(found(one, two, {**total, "max": "~900ms"}, load=load)) == [("total", "certain")]


def test_a_total_has_a_quantile_where_those_of_its_rows_leave_room() -> None:
    load = {"kind": "iterations", "users": 1, "iterations": 1000}
    one = {"label": "x", "samples": 1000, "median": "10ms", "p90": "20ms", "p95": "30ms"}
    two = {"label": "y", "samples": 1000, "median": "40ms", "p90": "60ms", "p95": "80ms"}
    total = {"label": "all", "total": True, "samples": 2000}
    for key, value, told in (
        # At least 95% of x and up to half of y.
        ("median", "35ms", None),
        ("p90", "35ms", "at most 75% of all samples take no longer than that"),
        ("median", "15ms", None),
        ("p90", "25ms", "at most 72% of all samples"),
        ("p90", "59ms", None),
        ("p95", "70ms", None),
    ):
        findings = found(one, two, {**total, key: value}, load=load)
        if told is None:
            assert bad(findings) == [], (key, value)
        else:
            assert f"The total's {key} is {value}, but by" in said(findings, "total")
            assert told in said(findings, "total")
    # Most samples are of x, of which 95% take no longer than 30 ms.
    few = {**two, "samples": 10}
    told = said(found(one, few, {**total, "samples": 1010, "median": "35ms"}, load=load), "total")
    assert "at least 94% of all samples take no longer than that" in told
