"""Whether a server is warm: every reason why it is not, and what must not count as one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from webdyno.catalog.loads.warm_up import Bounds
from webdyno.verdict.steadiness.warm import MOST_WINDOWS, WAITING, Windows, quiet, recompiled, warm

BOUNDS = Bounds(min=0.5, max=60.0, answers=2000, cpu=1.0)
JVM = replace(BOUNDS, compilers=("C2 CompilerThre",))
Array = NDArray[np.float64]


def a_load(
    seconds: float = 6.0,
    rate: float = 10_000.0,
    compiling: Array | float | None = None,
    waiting: float | None = None,
    busy: float | None = None,
    speed: Array | float = 1.0,
) -> Windows:
    """A server on one core, which it fills: `compiling` is its compilers' part of a core in each
    window, `speed` its own beside that of the warm server."""
    size = round(seconds / 0.1)
    noise = np.exp(0.01 * np.random.default_rng(3).standard_normal(size))
    answers = 0.1 * rate * noise * speed
    compiler_s = None if compiling is None else 0.1 * np.broadcast_to(compiling, size)
    return Windows(
        0.1 * np.arange(1, size + 1),
        answers,
        np.full(size, 0.1) + (0.0 if compiler_s is None else compiler_s),
        compiler_s,
        None if waiting is None else np.full(size, 0.1 * waiting),
        None if busy is None else np.full(size, 0.1 * busy),
    )


def part(size: int, since: int, before: float, after: float = 0.0) -> Array:
    return np.where(np.arange(size) < since, before, after)


def test_an_even_load_that_has_done_its_work_is_warm() -> None:
    found = warm(a_load(), BOUNDS)
    assert (found.steady, found.kind, found.reason) == (True, "flat", "")


def test_before_the_least_time_nothing_is() -> None:
    found = warm(a_load(2.0), replace(BOUNDS, min=5.0))
    assert (found.steady, found.kind) == (False, "unsure")
    assert found.reason == "it had not been loaded for 5 s yet"


def test_what_has_done_too_little_is_not_however_even_it_is() -> None:
    much = replace(BOUNDS, answers=20_000, cpu=10.0)
    found = warm(a_load(6.0, rate=100.0), much)
    assert (found.steady, found.kind) == (False, "unsure")
    assert found.reason.startswith("it had given only ")
    assert "its runtime may compile for 20,000 answers or 10 s" in found.reason
    # Either will do.
    assert warm(a_load(6.0, rate=10_000.0), much).steady
    assert warm(a_load(12.0, rate=100.0), much).steady


def test_where_its_cpu_time_cannot_be_seen_its_time_counts() -> None:
    seen = replace(a_load(6.0, rate=100.0), cpu_s=None)
    assert not warm(seen, replace(BOUNDS, answers=10**6, cpu=10.0)).steady
    assert warm(seen, replace(BOUNDS, answers=10**6, cpu=5.0)).steady


@pytest.mark.parametrize("last", [0.1, 0.5])
def test_an_even_level_is_not_warm_while_its_compilers_work(last: float) -> None:
    found = warm(a_load(compiling=last), JVM)
    assert (found.steady, found.kind) == (False, "never")
    assert found.reason.startswith("its runtime was still compiling (")
    assert warm(a_load(compiling=part(60, 25, last)), JVM).steady


def test_a_compiler_that_gets_no_core_has_not_finished() -> None:
    assert warm(a_load(compiling=0.0, waiting=0.0), JVM).steady
    assert warm(a_load(compiling=0.0, waiting=WAITING / 2), JVM).steady
    why = warm(a_load(compiling=0.0, waiting=2 * WAITING), JVM).reason
    assert why.startswith("its runtime's compiler was still waiting for a core (")


def test_the_longer_it_compiled_the_longer_they_must_be_quiet() -> None:
    # Quiet for 3 s: enough after 6 s of load, not after 30 s.
    assert warm(a_load(6.0, compiling=part(60, 30, 0.5)), JVM).steady
    assert not warm(a_load(30.0, compiling=part(300, 270, 0.5)), JVM).steady


def test_what_still_changes_is_told_so() -> None:
    found = warm(a_load(speed=np.linspace(0.5, 1.5, 60)), BOUNDS)
    assert (found.steady, found.kind) == (False, "never")
    assert found.reason == "its speed was still changing"


def test_what_is_too_short_for_its_noise_is_told_so() -> None:
    noise = np.exp(0.06 * np.random.default_rng(1).standard_normal(14))
    found = warm(replace(a_load(1.4), answers=1000 * noise, cpu_s=None), BOUNDS)
    assert (found.steady, found.kind) == (False, "unsure")
    assert found.reason == "its speed varied too much to tell whether it was still changing"


def test_the_compilers_own_time_is_no_change_of_level() -> None:
    # They work on other cores: what an answer costs does not change when they stop.
    found = warm(a_load(20.0, compiling=part(200, 100, 0.5)), JVM)
    assert (found.steady, found.kind) == (True, "flat")


def test_on_a_busy_machine_its_cpu_time_per_answer_decides() -> None:
    # A neighbour takes ever more of the core: the rate falls, an answer costs what it cost.
    given = np.linspace(1.0, 0.5, 60)
    alone = a_load()
    seen = replace(alone, answers=given * alone.answers, cpu_s=np.full(60, 0.1) * given)
    assert not warm(seen, BOUNDS).steady
    assert warm(replace(seen, busy_s=np.full(60, 0.1)), BOUNDS).steady
    # One that really changes is not excused by a neighbour.
    faster = replace(seen, answers=seen.answers * np.linspace(0.7, 1.3, 60))
    assert not warm(replace(faster, busy_s=np.full(60, 0.1)), BOUNDS).steady


def test_windows_without_an_answer_do_no_harm() -> None:
    seen = a_load()
    answers = seen.answers.copy()
    answers[[0, 20, 21]] = 0.0
    assert warm(replace(seen, answers=answers, busy_s=np.full(60, 0.2)), BOUNDS).steady


def test_nothing_at_all_is_not_warm() -> None:
    empty = Windows(np.array([]), np.array([]))
    assert not warm(empty, BOUNDS).steady
    assert not warm(empty, replace(BOUNDS, min=0.0, answers=0)).steady


def test_long_loads_are_judged_in_wider_windows() -> None:
    seen = a_load(90.0, compiling=0.1, waiting=0.1, busy=1.0)
    wide = seen.widened()
    assert len(wide.ends_s) <= MOST_WINDOWS
    assert wide.seconds == seen.seconds
    for name in ("answers", "cpu_s", "compiler_s", "compiler_wait_s", "busy_s"):
        assert getattr(wide, name).sum() == pytest.approx(getattr(seen, name).sum())
    assert a_load(20.0).widened().seconds == pytest.approx(20.0)


def test_compiling_anew_for_fresh_connections_is_seen() -> None:
    assert recompiled(a_load(1.0)) == ""
    assert recompiled(a_load(1.0, compiling=0.01)) == ""
    found = recompiled(a_load(1.0, compiling=0.5))
    assert found == ("its runtime was compiling again for fresh connections (33% of its CPU time)")
    assert recompiled(a_load(1.0, compiling=0.0, waiting=0.5))


def test_on_fresh_connections_only_the_compilers_are_asked() -> None:
    again = replace(JVM, min=1.0)
    assert not quiet(a_load(0.5, compiling=0.0), again).steady
    assert quiet(a_load(1.0, compiling=0.0, speed=np.linspace(0.5, 1.5, 10)), again).steady
    assert quiet(a_load(1.0), again).steady
    found = quiet(a_load(2.0, compiling=0.5), again)
    assert (found.steady, found.kind) == (False, "never")
    # What it had to compile is done, though it was much.
    assert quiet(a_load(6.0, compiling=part(60, 20, 0.5)), again).steady
