"""When a server is said to have stood still under load: from the load's own windows, and from who
was seen stopped."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from support.synthetic_run import build_run
from webdyno.catalog.loads.load import Closed, Load, Open
from webdyno.runtime.processes.family import Family
from webdyno.store.counts import RequestCounts
from webdyno.store.records import Measurement
from webdyno.trial.watching.stalls import AWAY, NOT_RANKED, STALLED, STOOD, STOPPED, Stalls

CLOSED = Closed(kind="closed", connections=8, duration=10.0)
OPEN = Open(kind="open", phases=["100/s:10s"], connections=8)


@pytest.fixture(scope="module")
def measured() -> Measurement:
    """Ten seconds of 24,000 answers a second, p50 2.5 ms."""
    run = build_run(blocks=1, seconds=10, scenarios=("json",))
    found = next(t.measurement for t in run.trials if t.server == "node/http")
    assert found is not None
    return found


def watched(stalls: Stalls, silent: tuple[float, float], length_s: float = 10.0) -> None:
    """Ten looks a second at a load that has no answers from `silent[0]` to `silent[1]`."""
    for tenth in range(1, round(10 * length_s) + 1):
        end_s = tenth / 10
        answers = 0 if silent[0] < end_s <= silent[1] else 2400
        stalls.look(end_s, [(end_s, answers, 0)])


def codes(stalls: Stalls, measured: Measurement, load: Load) -> list[str]:
    return [flag.code for flag in stalls.flags(measured, load)]


def test_a_load_that_goes_on_is_not_told_of(measured: Measurement) -> None:
    stalls = Stalls({})
    watched(stalls, (3.0, 3.8))
    assert codes(stalls, measured, CLOSED) == []


def test_three_seconds_without_an_answer_are_told_with_who_waited(measured: Measurement) -> None:
    stalls = Stalls({})
    watched(stalls, (6.5, 9.5))
    (flag,) = stalls.flags(measured, CLOSED)
    assert flag.code == AWAY
    assert flag.code in NOT_RANKED
    assert "no answer for 3.0 s, 6.5 s into the load, while 8 requests waited; " in flag.message


def test_at_the_end_of_the_load_too(measured: Measurement) -> None:
    stalls = Stalls({})
    watched(stalls, (7.0, 10.0))
    assert codes(stalls, measured, CLOSED) == [AWAY]


def test_a_tenth_of_the_load_is_forgiven_and_so_is_an_open_load(measured: Measurement) -> None:
    short, open_ = Stalls({}), Stalls({})
    watched(short, (20.0, 21.2), 60.0)
    long = measured.model_copy(update={"elapsed_s": 60.0})
    assert codes(short, long, CLOSED) == [STALLED]
    watched(open_, (6.5, 9.5))
    assert codes(open_, measured, OPEN) == [STALLED]  # Its quantiles count the wait.


def test_a_generator_that_was_held_up_is_not_the_servers_stall(measured: Measurement) -> None:
    stalls = Stalls({})
    watched(stalls, (0.0, 0.0), 3.0)
    for tenth in range(31, 46):  # We go on looking, but its windows do not end.
        stalls.look(tenth / 10, [])
    stalls.look(4.6, [(tenth / 10, 0, 0) for tenth in range(31, 47)])
    for tenth in range(47, 101):
        stalls.look(tenth / 10, [(tenth / 10, 2400, 0)])
    (flag,) = stalls.flags(measured, CLOSED)
    assert flag.code == STOOD
    assert "the load generator itself stood still for 1.4 s, 3.1 s into the load" in flag.message


def test_slow_answers_are_no_stall(measured: Measurement) -> None:
    stalls = Stalls({})
    watched(stalls, (6.5, 9.5))
    assert measured.latency_us is not None
    slow = measured.latency_us.model_copy(update={"p50": 1_000_000.0})
    assert codes(stalls, measured.model_copy(update={"latency_us": slow}), CLOSED) == []
    few = measured.model_copy(update={"counts": RequestCounts(ok=30)})
    assert codes(stalls, few, CLOSED) == []


def test_a_generator_that_does_not_tell_is_not_taken_for_silent(measured: Measurement) -> None:
    stalls = Stalls({})
    for tenth in range(1, 101):
        stalls.look(tenth / 10, [])
    assert codes(stalls, measured, CLOSED) == []


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


def test_who_was_stopped_is_named(measured: Measurement, sleeper: subprocess.Popen[bytes]) -> None:
    family = Family(sleeper.pid)
    stalls = Stalls({"the server": family})
    watched(stalls, (0.0, 0.0), 2.0)
    assert codes(stalls, measured, CLOSED) == []
    sleeper.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, sleeper.pid, os.WSTOPPED | os.WNOWAIT)
    for tenth in range(21, 51):
        stalls.look(tenth / 10, [(tenth / 10, 0, 0)])
    family.close()
    (flag,) = stalls.flags(measured, CLOSED)
    assert flag.code == STOPPED
    assert "the server was stopped (SIGSTOP) for 3.0 s, 2.0 s into the load" in flag.message
