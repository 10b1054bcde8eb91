"""What a trial's figures are worth, and what limited it."""

from __future__ import annotations

from typing import Any

import pytest

from support.synthetic_run import build_run
from webdyno.catalog.loads.load import Load, Objective, Open
from webdyno.generators.result import GeneratorSpent, LoadResult
from webdyno.store.counts import RequestCounts
from webdyno.store.records import CpuUse, Latency, Measurement, Warmup
from webdyno.trial.assessment.assess import (
    failure_of,
    flags_at_the_end,
    flags_of,
    steadiness_flags,
    why_not_steady,
)
from webdyno.trial.loads.repeated_load import cost_of


def use(share: float) -> CpuUse:
    return CpuUse(user_s=share, system_s=0.0, cores=1.0, share=share)


def told_at_the_end(*, ok: int, unfinished: int = 0, **more: Any) -> list[str]:
    """What is said of a load of two seconds, with these counts and figures."""
    counts = dict.fromkeys(RequestCounts.model_fields, 0)
    counts |= {"sent": ok + unfinished, "ok": ok, "unfinished": unfinished}
    result = LoadResult(
        elapsed_s=2.0,
        throughput_rps=ok / 2,
        counts=RequestCounts(**counts),
        generator=GeneratorSpent(),
        **more,
    )
    return [flag.message for flag in flags_at_the_end(result)]


def latency(max_us: float) -> Latency:
    return Latency(p50=1e3, p90=2e3, p99=5e3, p999=5e3, max=max_us, mean=1e3, min=1e2)


CUT_OFF = (
    "16 of 1600 requests had no answer at the end, one for 5 s; measure longer: no latency "
    "includes them"
)
AFTER_END = (
    "400 of 1000 answers came after the load's end; lower the rate: while the load lasted, the "
    "server answered 300/s"
)


@pytest.mark.parametrize(
    ("longest_us", "measured", "told"),
    [
        (5e6, latency(6e3), [CUT_OFF]),
        (8e3, latency(6e3), []),
        (None, latency(6e3), []),
        (5e6, None, []),  # Without any answer that is what the trial fails for.
    ],
)
def test_what_the_end_cut_off_is_told(
    longest_us: float | None, measured: Latency | None, told: list[str]
) -> None:
    more = {"latency_us": measured, "longest_unfinished_us": longest_us}
    assert told_at_the_end(ok=1584, unfinished=16, **more) == told


@pytest.mark.parametrize(("after_end", "told"), [(0, []), (100, []), (400, [AFTER_END])])
def test_answers_after_the_end_are_told(after_end: int, told: list[str]) -> None:
    assert told_at_the_end(ok=1000, ok_after_end=after_end) == told


def test_requests_without_a_file_or_port_are_not_held_against_the_server() -> None:
    measured = build_run(blocks=1, seconds=2).trials[0].measurement
    assert measured is not None
    limited = measured.counts.offered // 10
    measured.counts += RequestCounts(client_limit=limited, offered=limited)
    flags = flags_of(measured, OFFERED)
    assert "client-limit" in {flag.code for flag in flags}
    assert failure_of(measured, flags, OFFERED) == ""


OFFERED = Open(kind="open", phases=["100/s:1s"])
SEARCHED = Objective(kind="objective", objective="p99 < 1s")


@pytest.mark.parametrize(
    ("load", "late", "expected"),
    [
        (OFFERED, {"late_own": 1, "late_waited": 9}, "few-connections"),
        (OFFERED, {"late_own": 9, "late_waited": 1}, "send-lag"),
        (SEARCHED, {"late_own": 1, "late_waited": 9}, ""),
        (SEARCHED, {"late_own": 9, "late_waited": 1}, "send-lag"),
    ],
)
def test_a_search_may_use_up_its_connections(
    load: Load, late: dict[str, int], expected: str
) -> None:
    measured = build_run(blocks=1, seconds=2).trials[0].measurement
    assert measured is not None
    assert measured.send_lag_us is not None
    measured.send_lag_us.p99 = 5000.0
    measured.generator = measured.generator.model_copy(update=late)
    found = {flag.code for flag in flags_of(measured, load)} & {"few-connections", "send-lag"}
    assert found == ({expected} if expected else set())


def measured_at(server_us: float, generator_us: float | None = None) -> Measurement:
    """In which the server worked for two seconds, at so much for each answer."""
    measured = build_run(blocks=1, seconds=2).trials[0].measurement
    assert measured is not None
    answers = round(2e6 / server_us)
    cpu = {"server": CpuUse(user_s=1.0, system_s=1.0, cores=1.0, share=1.0)}
    if generator_us is not None:
        cpu["generator"] = use(1e-6 * generator_us * answers)
    counts = measured.counts.model_copy(update={"ok": answers})
    return measured.model_copy(update={"cpu": cpu, "counts": counts})


WARM = Warmup(seconds=3.0, steady=True, kind="warming", steady_cpu_us=50.0)


def doubt(
    warmup: Warmup, measured: Measurement | None = None, compiler_s: float | None = None
) -> str:
    """Of a trial that was measured once."""
    return why_not_steady(warmup, measured, cost_of(warmup), compiler_s)


def test_a_warm_up_that_ended_cold_is_told_with_its_reason() -> None:
    cold = Warmup(seconds=2.0, steady=False, kind="never", reason="its speed was still changing")
    why = doubt(cold, measured_at(50.0))
    assert why == "after 2.0 s of warm-up its speed was still changing"
    # Also where nothing was measured, as with an objective that was never met.
    assert doubt(cold) == why
    assert doubt(WARM) == ""


def test_a_server_that_was_warm_and_stayed_so_is_steady() -> None:
    assert doubt(WARM, measured_at(50.0)) == ""
    assert doubt(WARM, measured_at(50.0), 0.05) == ""
    # Slower than in the warm-up: colder caches in turns, not a compiler.
    assert doubt(WARM, measured_at(70.0)) == ""


def test_a_runtime_that_compiles_while_it_is_measured_is_not() -> None:
    why = doubt(WARM, measured_at(50.0), 0.4)
    assert why == "its runtime was compiling while it was measured (20% of its CPU time)"


def test_a_server_that_became_faster_after_its_warm_up_is_not() -> None:
    why = doubt(WARM, measured_at(30.0))
    assert "CPU time per answer fell from 50.0 µs under one load to 30.0 µs under the next" in why
    # Within the noise, or by its compilers' absence, it is no faster; without its figure, unknown.
    assert doubt(WARM, measured_at(44.0)) == ""
    assert doubt(WARM.model_copy(update={"steady_cpu_us": None}), measured_at(3.0)) == ""


def test_a_machine_that_became_faster_for_everybody_is_no_cold_server() -> None:
    warm = WARM.model_copy(update={"steady_generator_us": 10.0})

    assert doubt(warm, measured_at(38.0, 7.5)) == ""
    assert "fell from 50.0 µs" in doubt(warm, measured_at(30.0, 7.5))
    # A generator that became dearer excuses nothing.
    assert "fell from 50.0 µs" in doubt(warm, measured_at(38.0, 14.0))


def test_its_compilers_own_time_is_taken_off_before_that_is_asked() -> None:
    # 52 µs with 4% of them the compilers' are 49.9 µs of its own: as before.
    assert doubt(WARM, measured_at(52.0), 0.08) == ""


@pytest.mark.parametrize(
    ("steady", "kind", "code"),
    [
        (False, "never", "never-steady"),
        (False, "unsure", "perhaps-cold"),
        (True, "warming", "never-steady"),
    ],
)
def test_the_flag_says_whether_it_changed_or_nobody_knows(
    steady: bool, kind: str, code: str
) -> None:
    warmup = Warmup(seconds=2.0, steady=steady, kind=kind)
    (flag,) = steadiness_flags(warmup, "why")
    assert flag.code == code
    assert flag.message == "why; the trial settles nothing: raise warmup.max"
    assert steadiness_flags(warmup, "") == []
