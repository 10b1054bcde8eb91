"""What control groups count, and a clock that reads them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webdyno.runtime.confinement import own_groups
from webdyno.runtime.confinement.own_groups import counts_cpu, cpu_seconds, parents_of_accounts
from webdyno.runtime.processes import cpu_time
from webdyno.runtime.processes.cpu_time import TreeClock


def test_both_versions_count_cpu_time(tmp_path: Path) -> None:
    first, second, none = (tmp_path / name for name in ("first", "second", "none"))
    for folder in (first, second, none):
        folder.mkdir()
    (first / "cpuacct.usage").write_text("2500000000\n")
    (second / "cgroup.controllers").touch()
    (second / "cpu.stat").write_text("usage_usec 1250000\nuser_usec 1000000\n")
    (none / "cpu.stat").write_text("nr_periods 0\n")  # Version 1's tells of quotas alone.
    assert [cpu_seconds(one) for one in (first, second, none)] == [2.5, 1.25, None]
    assert [counts_cpu(one) for one in (first, second, none)] == [True, True, False]
    assert not counts_cpu(None)


def test_a_group_that_also_shares_the_cores_out_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, apart = tmp_path / "cpu,cpuacct", tmp_path / "cpuacct"
    for folder in (shared, apart):
        folder.mkdir()
    mounts = {"cpu": [shared], "cpuacct": [shared, apart]}
    monkeypatch.setattr(own_groups, "parents_of", lambda name: mounts[name])
    assert parents_of_accounts() == [apart]


def test_a_clock_misses_nothing_that_its_group_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = tmp_path / "cpuacct.usage"
    usage.write_text("100000000000")
    monkeypatch.setattr(cpu_time, "account_of", lambda _: tmp_path)
    clock = TreeClock(os.getpid())
    before = clock.seconds()
    usage.write_text("107000000000")
    assert clock.seconds() - before == pytest.approx(7, abs=0.5)
    usage.unlink()
    assert clock.seconds() - before >= 6.5, "it never goes back"
