"""A warm-up's load ends when it is shown to be warm, and what ended it stands."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.catalog.loads.load import Closed, Iterations, Load, Open
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.generators.progress import LoadProgress, Tick
from webdyno.runtime.machine.placement import Placement
from webdyno.trial.events import silent
from webdyno.trial.warm_up import _endless, _load, as_engine_load
from webdyno.trial.watching.load_windows import LoadWindows
from webdyno.verdict.steadiness.steady import Steady
from webdyno.verdict.steadiness.warm import Windows

CPU = min(os.sched_getaffinity(0))


class Generator:
    """Makes a load of a second in windows of a tenth, and once stopped gives half a window more, as
    the engine does."""

    def __init__(self) -> None:
        self.windows = 0

    def run(self, _job: object, watch: Callable[[LoadProgress], bool]) -> Generator:
        while self.windows < 10:
            self.windows += 1
            if watch(self._at(0.1 * self.windows, 100)):
                break
        watch(self._at(0.1 * self.windows + 0.05, 20))
        return self

    def _at(self, end_s: float, answers: int) -> LoadProgress:
        return LoadProgress(elapsed_s=end_s, ticks=[Tick(end_s, answers, 0)])


def loaded(judge: Callable[[Windows, Bounds], Steady]) -> tuple[Steady, int]:
    """How a load ended that is judged so, and how many windows it took."""
    generator, job = Generator(), None
    seen = LoadWindows(
        Placement(server=(CPU,), generator=(CPU,), services=(CPU,)), os.getpid(), None
    )
    bounds = Bounds(min=0.2, max=1.0)
    unused: Any = (generator, job)
    found, result = _load(*unused, bounds, judge, silent, seen)
    # What it yielded is handed on.
    assert result is unused[0]
    return found, generator.windows


def test_the_half_window_after_its_end_does_not_unsay_it() -> None:
    def even(seen: Windows, _bounds: Bounds) -> Steady:
        steady = len(seen.answers) >= 5 and set(seen.answers) == {100.0}
        return Steady(steady, 0.0 if steady else None, 1000.0, "flat" if steady else "never")

    found, windows = loaded(even)
    assert (found.steady, windows) == (True, 5)


def test_one_that_never_is_warm_takes_all_its_time() -> None:
    found, windows = loaded(lambda _seen, _bounds: Steady(False, None, 1000.0, "never", "why"))
    assert (found.steady, found.reason, windows) == (False, "why", 10)


USERS = {"cookies": True, "visits": 3, "timeout": 2.0, "threads": 1}


@pytest.mark.parametrize(
    "load",
    [
        Closed(kind="closed", connections=4, duration=1.0, **USERS),
        Open(kind="open", phases=["100/s:1s"], connections=4, **USERS),
        Iterations(kind="iterations", users=4, iterations=9, **USERS),
    ],
)
def test_its_users_are_those_of_the_measured_load(load: Load) -> None:
    made = _endless(load, 5.0)
    assert {name: getattr(made, name) for name in USERS} == USERS
    assert (made.connections, made.duration) == (4, 5.0)


@pytest.mark.parametrize(
    ("generator", "given", "cookies"),
    [("engine", None, None), ("jmeter", None, None), ("wrk", None, False), ("wrk", True, True)],
)
def test_the_engine_keeps_cookies_where_the_generator_does(
    generator: str, given: bool | None, cookies: bool | None
) -> None:
    load = Closed(kind="closed", connections=4, duration=1.0, generator=generator, cookies=given)
    made = as_engine_load(load)
    assert (made.generator, made.cookies) == ("engine", cookies)
