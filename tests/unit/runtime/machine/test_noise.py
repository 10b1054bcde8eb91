"""The noise measurement and what is said of it."""

from __future__ import annotations

import os

import pytest

from webdyno.runtime.confinement.cgroup import CgroupLimits, QuotaPauses
from webdyno.runtime.machine import noise as noise_module
from webdyno.runtime.machine.advice import machine_limits, noise_causes, noise_meaning
from webdyno.runtime.machine.core_seconds import CoreSeconds
from webdyno.runtime.machine.facts import MachineFacts, fingerprint
from webdyno.runtime.machine.noise import Noise, _Clocks, _shares, measure_noise
from webdyno.runtime.machine.placement import Placement


def noise(**changed: float) -> Noise:
    calm = {
        "seconds": 6.0,
        "cv": 0.005,
        "worst_window": 0.98,
        "steal_share": 0.0,
        "foreign_share": 0.0,
        "timer_late_us_p50": 60.0,
        "timer_late_us_p99": 120.0,
        "timer_late_us_max": 400.0,
        "load_average": 0.1,
    }
    return Noise(**{**calm, **changed})


def machine(**changed: object) -> MachineFacts:
    calm = {
        "cores": 4,
        "memory_bytes": 8 << 30,
        "open_files": 1024,
        "open_files_most": 1 << 20,
        "limit_cpus": None,
        "limit_memory_bytes": None,
        "governor": "performance",
    }
    return fingerprint().model_copy(update={**calm, **changed})


@pytest.mark.slow
def test_a_short_measurement_is_consistent() -> None:
    allowed = os.sched_getaffinity(0)
    found = measure_noise(0.6)
    assert found.cv >= 0
    assert 0 < found.worst_window <= 1
    assert 0 <= found.timer_late_us_p50 <= found.timer_late_us_p99 <= found.timer_late_us_max
    assert 0 <= found.steal_share <= 1
    assert 0 <= found.foreign_share <= 1
    assert os.sched_getaffinity(0) == allowed


def look(at_s: float, own_s: float, cores: CoreSeconds | None) -> _Clocks:
    return _Clocks(at_s, own_s, cores, None)


def test_shares_of_cpu_time_are_of_the_cpus_that_are_used() -> None:
    # Of two seconds on two CPUs, 1.2 s were our own, 0.4 s the host's and 0.8 s others'.
    before = look(10.0, 1.0, CoreSeconds(busy=50.0, stolen=5.0))
    after = look(12.0, 2.2, CoreSeconds(busy=52.4, stolen=5.4))
    steal, foreign = _shares(before, after, 2)
    assert steal == pytest.approx(0.1)
    assert foreign == pytest.approx(0.2)


def test_without_the_kernels_ticks_nothing_is_claimed() -> None:
    assert _shares(look(0.0, 0.0, None), look(1.0, 1.0, None), 2) == (0.0, 0.0)


def test_only_the_cpus_of_a_run_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    worked: list[list[int]] = []
    looked: list[list[int]] = []

    def work(cpus: list[int], _seconds: float) -> list[list[float]]:
        worked.append(cpus)
        return [[1.0, 1.0] for _ in cpus]

    def core_seconds(cpus: list[int]) -> CoreSeconds:
        looked.append(cpus)
        return CoreSeconds(0.0, 0.0)

    # As a quota of two leaves of a machine with more.
    monkeypatch.setattr(noise_module, "place", lambda: Placement((2,), (5,), (5,)))
    monkeypatch.setattr(noise_module, "_work", work)
    monkeypatch.setattr(noise_module, "core_seconds", core_seconds)
    quota = iter([QuotaPauses(100, 10), QuotaPauses(140, 30)])
    monkeypatch.setattr(noise_module, "limits", lambda: CgroupLimits(cpus=0.5))
    monkeypatch.setattr(noise_module, "pauses", lambda: next(quota))
    found = measure_noise(0.03)
    assert (worked, looked) == ([[2, 5]], [[2, 5], [2, 5]])
    assert found.paused_share == 0.5


@pytest.mark.parametrize(
    ("cv", "word"),
    [(0.002, "Quiet"), (0.02, "Fairly quiet"), (0.05, "Noisy"), (0.3, "Very noisy")],
)
def test_the_meaning_grows_with_the_variation(cv: float, word: str) -> None:
    said = noise_meaning(noise(cv=cv))
    assert said.startswith(f"{word}:")
    assert f"{cv:.1%}" in said


def test_a_calm_machine_has_no_causes_and_no_limits() -> None:
    assert noise_causes(noise(), machine()) == []
    assert [line for line in machine_limits(machine()) if "perf" not in line] == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"steal_share": 0.2}, "20.0% of this virtual machine's CPU time"),
        ({"foreign_share": 0.5}, "Other programs use 50.0%"),
        ({"paused_share": 0.4}, "A quota of CPU time pauses all programs in 40% of its periods"),
        ({"timer_late_us_p99": 4200.0}, "4.2 ms late"),
    ],
)
def test_a_cause_is_named(changed: dict[str, float], said: str) -> None:
    (line,) = noise_causes(noise(**changed), machine())
    assert said in line


def test_a_saving_governor_is_a_cause_with_its_remedy() -> None:
    (line,) = noise_causes(noise(), machine(governor="powersave"))
    assert "cpupower frequency-set -g performance" in line


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"cores": 1}, "One core"),
        ({"open_files_most": 256}, "At most 256 open files per process: raise the hard limit"),
        ({"limit_memory_bytes": 1 << 30}, "1.0 GiB"),
        ({"limit_cpus": 1.5}, "allows 1.5 of 4 cores"),
    ],
)
def test_a_limit_is_named(changed: dict[str, object], said: str) -> None:
    assert any(said in line for line in machine_limits(machine(**changed)))


def test_a_soft_limit_of_open_files_is_none() -> None:
    """It is raised where needed; `ulimit -n` would lower the hard one, which cannot be undone."""
    for most in (1 << 20, None):
        said = machine_limits(machine(open_files=256, open_files_most=most))
        assert [line for line in said if "open files" in line] == []
