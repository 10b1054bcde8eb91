"""Each integrity test is failed by the measurement it is for, and by no sound one."""

import copy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webdyno.catalog.loads.load import Closed, Iterations, Objective, Open
from webdyno.store.records import Measurement
from webdyno.verdict import FORBIDS_RANKING, check, idle_share, little_residual
from webdyno.verdict.integrity import REMEDIES

DOCS = Path(__file__).parents[3] / "docs" / "verdict.md"
CLOSED = Closed(kind="closed", connections=64, duration=2.0)
OPEN = Open(kind="open", phases=["100/s:2s"], connections=64)
ITERATIONS = Iterations(kind="iterations", users=64, iterations=10)
SEARCH = Objective(kind="objective", objective="p99 < 1s", connections=64)
LATENCY = {
    "min": 100.0, "p50": 600.0, "p90": 900.0, "p99": 2000.0, "p999": 4000.0, "max": 5000.0,
    "mean": 637.0,
}  # fmt: skip


def used(share):
    return {"user_s": share, "system_s": 0.0, "cores": 1, "share": share}


def sound():
    counts = dict.fromkeys(
        ("wrong_status", "failed_check", "refused", "reset", "timed_out", "malformed", "not_sent"),
        0,
    )
    return {
        "elapsed_s": 2.0,
        "throughput_rps": 100_000.0,
        "latency_us": dict(LATENCY),
        "latency_from_send_us": {**LATENCY, "mean": 630.0},
        "send_lag_us": {
            "p50": 1.0, "p90": 5.0, "p99": 60.0, "p999": 90.0, "max": 99.0, "mean": 2.0,
        },
        "counts": {
            **counts, "ok": 200_000, "unfinished": 64, "sent": 200_064, "offered": 200_064,
        },
        "cpu": {"generator": used(0.5), "server": used(0.98)},
        "cpu_us_per_request": {},
        "memory_bytes": {"idle": 1, "mean": 1, "peak": 1},
        "threads_peak": 1,
        "processes_peak": 1,
    }  # fmt: skip


def spoiled(**changes):
    """A sound measurement with some figures changed, named as `part__figure`."""
    measurement = copy.deepcopy(sound())
    for path, value in changes.items():
        part, _, figure = path.partition("__")
        if figure:
            measurement[part][figure] = value
        else:
            measurement[part] = value
    return measurement


def flags(measurement, load=CLOSED):
    return check(Measurement.model_validate(measurement), load)


def codes(measurement, load=CLOSED):
    return [flag.code for flag in flags(measurement, load)]


@pytest.mark.parametrize("load", [CLOSED, OPEN, ITERATIONS, SEARCH])
def test_a_sound_measurement_has_no_flag(load):
    assert codes(sound(), load) == []


@pytest.mark.parametrize(
    ("changes", "load", "code"),
    [
        ({"counts__ok": 199_000}, CLOSED, "counts"),
        ({"counts__offered": 300_000}, CLOSED, "counts"),
        ({"latency_us__p50": 2500.0}, CLOSED, "quantiles"),
        ({"latency_us__p999": 6000.0}, CLOSED, "quantiles"),
        ({"send_lag_us__p90": 70.0}, CLOSED, "quantiles"),
        ({"latency_us__mean": 5100.0}, OPEN, "quantiles"),
        ({"latency_from_send_us__mean": 700.0}, CLOSED, "quantiles"),
        ({"throughput_rps": 90_000.0}, OPEN, "throughput"),
        # Latencies of which not so many fit into the connections: work counted twice.
        ({"latency_us__mean": 800.0}, CLOSED, "littles-law"),
        (
            {"latency_us__mean": 400.0, "latency_from_send_us__mean": 400.0},
            CLOSED,
            "idle-connections",
        ),
        ({"cpu": {"generator": used(0.97)}}, CLOSED, "generator-limit"),
        (
            {"counts__sent": 190_064, "counts__ok": 190_000, "counts__not_sent": 10_000},
            OPEN,
            "schedule",
        ),
        (
            {f"send_lag_us__{q}": 3000.0 for q in ("p99", "p999", "max")},
            OPEN,
            "send-lag",
        ),
        (
            {
                **{f"send_lag_us__{q}": 3000.0 for q in ("p99", "p999", "max")},
                "generator": {"late_own": 20, "late_waited": 2000},
            },
            OPEN,
            "few-connections",
        ),
    ],
)  # fmt: skip
def test_each_fault_is_flagged(changes, load, code):
    found = codes(spoiled(**changes), load)
    assert code in found
    assert set(found) <= {code, "throughput"}


def test_errors_are_told_by_kind():
    counts = {"ok": 199_998, "failed_check": 1, "reset": 1}
    (found,) = flags(spoiled(**{f"counts__{k}": v for k, v in counts.items()}))
    assert found.code == "errors"
    assert "failed check 1, reset 1" in found.message


def test_what_the_schedule_offered_must_be_accounted_for():
    lost = spoiled(counts__offered=200_065)
    assert codes(lost) == ["counts"]


def test_what_this_machine_lacked_is_not_the_servers_error():
    limited = spoiled(counts__client_limit=2000, counts__offered=202_064)
    assert codes(limited) == ["client-limit"]
    assert "ulimit -Hn" in flags(limited)[0].message


def test_no_answers_and_few():
    nothing = spoiled(latency_us=None, latency_from_send_us=None, throughput_rps=0.0)
    nothing["counts"] |= {"ok": 0, "timed_out": 200_000}
    assert codes(nothing) == ["no-answers", "errors"]
    few = spoiled(throughput_rps=250.0, latency_us=None, latency_from_send_us=None)
    few["counts"] |= {"ok": 500, "unfinished": 0, "sent": 500, "offered": 500}
    assert codes(few) == ["few-answers"]


def test_a_server_that_needs_longer_than_the_load_is_not_told_to_answer_wrongly():
    slow = spoiled(latency_us=None, latency_from_send_us=None, throughput_rps=0.0)
    slow["counts"] |= {"ok": 0, "unfinished": 64, "sent": 64, "offered": 64}
    (flag,) = (flag for flag in flags(slow) if flag.code == "no-answers")
    assert flag.message.startswith("the load ended before the server had answered anything")


def test_long_answers_cut_off_by_the_end_are_no_idleness():
    slow = spoiled(throughput_rps=60.0, send_lag_us=None, latency_from_send_us=None)
    slow["latency_us"] = dict.fromkeys(LATENCY, 9e5)
    slow["counts"] |= {"ok": 120, "unfinished": 64, "sent": 184, "offered": 184}
    assert codes(slow) == ["few-answers"]


def test_what_a_foreign_generator_does_not_report_is_not_tested():
    untold = ("latency_us", "latency_from_send_us", "send_lag_us")
    assert codes(spoiled(**dict.fromkeys(untold), cpu={})) == []


def test_latencies_that_wrk_has_corrected_are_not_held_against_its_rate():
    corrected = CLOSED.model_copy(update={"generator": "wrk"})
    assert "littles-law" in codes(spoiled(latency_us__mean=800.0), CLOSED)
    assert codes(spoiled(latency_us__mean=800.0), corrected) == []


@given(st.floats(1, 1e6), st.floats(1, 1e6), st.integers(1, 10_000))
@settings(deadline=None)
def test_littles_law(rate, latency, connections):
    residual = little_residual(rate, latency, connections)
    assert residual == pytest.approx(1 - rate * latency / 1e6 / connections)
    assert residual <= 1


def test_every_code_has_its_remedy_and_its_line_in_the_docs():
    text = DOCS.read_text()
    assert set(REMEDIES) >= FORBIDS_RANKING
    for code in REMEDIES:
        assert f"| `{code}` |" in text


def test_a_server_that_answers_few_connections_within_the_load_left_none_idle() -> None:
    # One worker of 10 ms, 256 connections, a second: 100 answers, after half a second on average.
    assert little_residual(100, 505_000, 256) > 0.75
    assert abs(idle_share(100, 505_000, 256, 1.0)) < 0.02


def test_connections_that_idle_are_seen_to_whatever_the_end_cut_off() -> None:
    # Each connection is answered after 1 ms, and waits for 3 ms before it is used again.
    assert idle_share(16_000, 1_000, 64, 2.0) == pytest.approx(0.75, abs=0.01)
