"""The noise measurement and what is said of it."""

from __future__ import annotations

import os

import pytest

from webdyno.runtime.machine.advice import machine_limits, noise_causes, noise_meaning
from webdyno.runtime.machine.facts import MachineFacts, fingerprint
from webdyno.runtime.machine.noise import Noise, _shares, measure_noise


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
        "open_files": 65536,
        "limit_cpus": None,
        "limit_memory_bytes": None,
        "governor": "performance",
    }
    return fingerprint().model_copy(update={**calm, **changed})


@pytest.mark.slow
def test_a_short_measurement_is_consistent() -> None:
    allowed = os.sched_getaffinity(0)
    found = measure_noise(1.5)
    assert found.cv >= 0
    assert 0 < found.worst_window <= 1
    assert 0 <= found.timer_late_us_p50 <= found.timer_late_us_p99 <= found.timer_late_us_max
    assert 0 <= found.steal_share <= 1
    assert 0 <= found.foreign_share <= 1
    assert os.sched_getaffinity(0) == allowed


def test_shares_of_cpu_time_are_worked_out_from_the_kernels_ticks() -> None:
    ticks = os.sysconf("SC_CLK_TCK")
    before = [100, 0, 50, 1000, 10, 0, 0, 5]
    # user +60, system +20, idle +100, steal +20: of 200 in all, 40 ticks were our own.
    after = [160, 0, 70, 1100, 10, 0, 0, 25]
    steal, foreign = _shares(before, after, own_s=40 / ticks)
    assert steal == pytest.approx(0.10)
    assert foreign == pytest.approx(0.20)


def test_without_the_kernels_ticks_nothing_is_claimed() -> None:
    assert _shares([], [], 1.0) == (0.0, 0.0)


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
        ({"open_files": 256}, "ulimit -n"),
        ({"limit_memory_bytes": 1 << 30}, "1.0 GiB"),
        ({"limit_cpus": 1.5}, "allows 1.5 of 4 cores"),
    ],
)
def test_a_limit_is_named(changed: dict[str, object], said: str) -> None:
    assert any(said in line for line in machine_limits(machine(**changed)))
