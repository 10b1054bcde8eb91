"""Figures that would need more CPU than there was: hashes, cores, and rows of a table."""

from __future__ import annotations

from typing import Any

from unit.claims.test_checks import FINE, bad, found, said
from webdyno.claims.hashing import FASTEST_BYTES_PER_S, this_machine

WORK = {"sha256_rounds": 800, "sha256_bytes": 16_000}


def test_cpu_below_the_least_that_hashing_costs() -> None:
    load = {"kind": "open", "phases": ["300/s:60s"]}
    row = {"label": "a", "at_rate": 300, "cpu_cores": "0.11"}
    findings = found(row, load=load, work=WORK)
    assert bad(findings) == [("least CPU", "certain")]
    assert "at least 6.4 ms at the fastest known 2 GB/s per core" in said(findings, "least CPU")
    assert bad(found({**row, "cpu_cores": "3.0"}, load=load, work=WORK)) == []
    assert bad(found({**row, "cpu_cores": "1.5"}, load=load, work=WORK)) == [
        ("least CPU", "likely")
    ]
    # A runtime that hashes slower raises the floor, a faster machine lowers it.
    slower = {**row, "cpu_cores": "3.0", "hash_slowdown": 4.0}
    assert ("least CPU", "certain") in bad(found(slower, load=load, work=WORK))
    fast = 2 * FASTEST_BYTES_PER_S
    assert bad(found({**row, "cpu_cores": "1.5"}, load=load, work=WORK, here=fast)) == []


def test_more_cores_than_there_are() -> None:
    row = {"label": "a", "throughput": 1000}
    assert bad(found(row, work=WORK, cpus=6)) == [("least CPU", "likely")]
    assert bad(found(row, work=WORK, cpus=8)) == []
    assert bad(found({"label": "a", "cpu_cores": 40}, cpus=4)) == [("parts", "certain")]
    assert bad(found({"label": "a", "cpu_cores": "4.0"}, cpus=4)) == []


def test_this_machine_hashes_at_a_speed_that_machines_have() -> None:
    assert 1e7 < this_machine() < 2e10


def test_a_cost_that_was_printed_as_zero_is_held_against_its_rounding() -> None:
    row = {"label": "a", "throughput": 1000, "cpu_cores": "0.0"}
    # 0.05 cores at 999.5/s are 50 µs, and 12.8 MB at 2 GB/s take 6.4 ms.
    assert "at least 128 times what it used" in said(found(row, work=WORK), "least CPU")


def test_no_row_was_found_by_reading_a_table_that_the_cores_cannot_read() -> None:
    def scanned(*rows: dict[str, Any], cpus: float | None = 4, table_rows: int = 10**6) -> str:
        findings = found(*rows, cpus=cpus, work={"table_rows": table_rows})
        return "\n".join(one.sentence for one in findings if one.check == "least CPU")

    assert "a: 1000/s, each reading 1,000,000 rows, would need 50 cores" in scanned(FINE)
    assert scanned(FINE, table_rows=10**4) == ""
    assert scanned(FINE, cpus=None) == ""
    assert scanned({"label": "a"}) == ""
    # Of a total that the rows share the cores with, the total alone.
    whole = scanned(FINE, {"label": "all", "total": True, "throughput": 2000})
    assert "all: 2000/s" in whole
    assert "a: 1000/s" not in whole
