"""What is seen of a server under load: of a real process, which is this one."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from webdyno.generators.progress import LoadProgress, Tick
from webdyno.runtime.machine.core_seconds import CoreSeconds
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.processes.threads import NamedThreads
from webdyno.trial.watching import load_windows
from webdyno.trial.watching.load_windows import LoadWindows
from webdyno.verdict.steadiness.steady import Steady
from webdyno.verdict.steadiness.warm import foreign_share

CPU = min(os.sched_getaffinity(0))
PLACEMENT = Placement(server=(CPU,), generator=(CPU,), services=(CPU,))
WARM = Steady(True, 0.2, 1000.0, "warming")


def ticks(*windows: tuple[float, int, int]) -> LoadProgress:
    end_s = windows[-1][0] if windows else 0.0
    return LoadProgress(elapsed_s=end_s, ticks=[Tick(*window) for window in windows])


def spend(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def a_look(ends: Sequence[float], compilers: NamedThreads | None = None) -> LoadWindows:
    seen = LoadWindows(PLACEMENT, os.getpid(), compilers)
    for end_s in ends:
        spend(0.03)
        seen.look(ticks((end_s, 100, 0)))
    return seen


def test_what_was_used_since_the_last_look_is_spread_over_its_windows() -> None:
    seen = LoadWindows(PLACEMENT, os.getpid(), None)
    spend(0.1)
    seen.look(ticks((0.1, 50, 0), (0.2, 150, 1)))
    assert seen.ends_s == [0.1, 0.2]
    assert seen.answers == [50.0, 150.0]
    assert seen.cpu_s[0] == seen.cpu_s[1]
    assert sum(seen.cpu_s) >= 0.09
    assert seen.seconds == 0.2


def test_a_look_without_a_window_waits_for_the_next() -> None:
    seen = LoadWindows(PLACEMENT, os.getpid(), None)
    assert seen.seconds == 0.0
    spend(0.05)
    seen.look(ticks())
    spend(0.05)
    seen.look(ticks((0.1, 1, 0)))
    assert len(seen.ends_s) == 1
    assert seen.cpu_s[0] >= 0.09


def test_later_loads_follow_on() -> None:
    seen, later = a_look([0.1, 0.2]), a_look([0.1, 0.25])
    seen.waited_s, later.waited_s = 0.25, 0.5
    seen.extend(later)
    assert seen.ends_s == pytest.approx([0.1, 0.2, 0.3, 0.45])
    assert seen.answers == [100.0] * 4
    assert len(seen.cpu_s) == len(seen.busy_s) == len(seen.compiler_s) == 4
    assert seen.waited_s == 0.75
    assert np.all(np.diff(seen.windows().ends_s) > 0)


def test_compilers_that_cannot_be_told_are_not_said_to_be_quiet() -> None:
    assert a_look([0.1]).windows().compiler_s is None
    known = a_look([0.1], NamedThreads(os.getpid(), ["C2 CompilerThre"])).windows()
    assert known.compiler_s is not None
    assert known.compiler_wait_s is not None


@pytest.mark.slow
def test_what_is_stored_says_how_it_ended() -> None:
    seen = a_look([0.1, 0.2, 0.3, 0.4], NamedThreads(os.getpid(), ["C2 CompilerThre"]))
    seen.ended()
    seen.busy_s = list(seen.cpu_s)
    record = seen.record(WARM)
    assert (record.steady, record.kind, record.steady_after_s) == (True, "warming", 0.2)
    assert (record.answers, record.seconds, record.compiler_s) == (400, 0.4, 0.0)
    assert record.ticks[-1] == (0.4, 1000.0)
    # Too few windows to say what an answer of the warm server costs.
    assert record.steady_cpu_us is None
    assert record.cpu_us[-1] == pytest.approx(1e6 * seen.cpu_s[-1] / 100, rel=0.01)


def test_of_a_server_that_is_not_warm_no_warm_figure_is_stored() -> None:
    cold = Steady(False, None, 1000.0, "never", "its speed still changed")
    record = a_look([0.1, 0.2]).record(cold)
    assert (record.steady, record.steady_after_s, record.steady_cpu_us) == (False, None, None)
    assert (record.reason, record.compiler_s) == ("its speed still changed", None)


def test_what_compilers_used_is_no_part_of_what_an_answer_costs() -> None:
    ends = [round(0.1 * window, 1) for window in range(1, 41)]
    seen = a_look([0.1], NamedThreads(os.getpid(), ["C2 CompilerThre"]))
    seen.ends_s, seen.answers = ends, [100.0] * 40
    # The last window holds what was used after the load, too.
    seen.cpu_s, seen.compiler_s = [0.1] * 39 + [0.9], [0.06] * 40
    seen.compiler_wait_s, seen.busy_s = [0.0] * 40, list(seen.cpu_s)
    # The engine's threads are gone when the last window is read.
    seen.generator_s = [0.01] * 39 + [0.0]
    seen.ended()
    record = seen.record(WARM)
    assert record.steady_cpu_us == pytest.approx(1e6 * 0.04 / 100)
    assert record.steady_generator_us == pytest.approx(1e6 * 0.01 / 100)


@pytest.mark.slow
def test_beside_a_neighbour_no_warm_figure_is_stored() -> None:
    seen = a_look([round(0.1 * window, 1) for window in range(1, 9)])
    seen.busy_s = list(seen.cpu_s)
    seen.ended(fresh=True)
    assert seen.record(WARM).steady_cpu_us is not None
    seen.busy_s = [2 * cpu_s for cpu_s in seen.cpu_s]
    seen.ended(fresh=True)
    assert seen.record(WARM).steady_cpu_us is None


def test_work_for_clients_that_have_left_is_no_part_of_what_an_answer_costs() -> None:
    seen = a_look([0.1])
    seen.ends_s = [round(0.1 * window, 1) for window in range(1, 17)]
    # For half a second the server works off what the load before left, then for both.
    seen.answers = [0.0] * 5 + [3.0] + [13.0] * 10
    seen.cpu_s = [0.1] * 16
    seen.busy_s, seen.generator_s = list(seen.cpu_s), [0.001] * 16
    seen.compiler_s = seen.compiler_wait_s = [0.0] * 16
    seen.ended(fresh=True)
    assert seen.record(WARM).steady_cpu_us == pytest.approx(1e6 * 0.1 / 13, rel=1e-4)
    # Where too little is left after that, nothing is known.
    seen.ends_s, seen.answers = seen.ends_s[:9], seen.answers[:9]
    for name in ("cpu_s", "busy_s", "generator_s", "compiler_s", "compiler_wait_s"):
        setattr(seen, name, getattr(seen, name)[:9])
    seen.ended(fresh=True)
    assert seen.record(WARM).steady_cpu_us is None


@pytest.mark.parametrize(
    ("shared", "services", "own"),
    [
        ((), True, 0.0),
        (("server", "services"), False, 0.0),
        (("server", "services"), True, 1.0),
        (("server", "generator", "services"), True, 2.0),
    ],
)
def test_what_the_trial_itself_does_on_the_servers_cores_is_no_other_program(
    monkeypatch: pytest.MonkeyPatch, shared: tuple[str, ...], services: bool, own: float
) -> None:
    class Clock:
        """Server and service each work for a second from look to look, and so does the engine."""

        def __init__(self, pid: int) -> None:
            self.looks = 0.0

        def seconds(self) -> float:
            self.looks += 1.0
            return self.looks

        def waited_seconds(self) -> float:
            return 0.0

    engine, busy = Clock(0), Clock(0)
    monkeypatch.setattr(load_windows, "TreeClock", Clock)
    monkeypatch.setattr(load_windows.time, "process_time", engine.seconds)
    monkeypatch.setattr(
        load_windows, "core_seconds", lambda cpus: CoreSeconds(3.0 * busy.seconds(), 0.0)
    )
    seen = LoadWindows(replace(PLACEMENT, shared=shared), 1, None, [2] if services else [])
    for end_s in np.arange(1, 41) / 10:
        seen.look(ticks((float(end_s), 100, 0)))
    assert foreign_share(seen.windows()) == pytest.approx((2.0 - own) / (3.0 - own))
    seen.ended()
    assert (seen.warm_cost is None) == (own < 2.0)
