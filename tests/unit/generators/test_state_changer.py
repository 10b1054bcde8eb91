"""How long changes of state take, by the clock of the load that they are made under."""

from __future__ import annotations

import threading
import time

import pytest

from webdyno.generators.state_changer import StateChanger
from webdyno.verifier import Change


class Told:
    def begin_change(self, spec: str) -> None:
        assert spec

    def end_change(self) -> None:
        pass


@pytest.mark.slow
@pytest.mark.parametrize("holds", [False, True])
def test_a_change_that_waits_is_timed_while_the_load_runs(holds: bool) -> None:
    begun, waited = threading.Event(), threading.Event()

    def make() -> None:
        begun.set()
        waited.wait(30)

    changes = iter([Change(make)])
    moving = StateChanger(Told(), lambda: next(changes, None), {}, seconds=0.1)
    moving.go_on()
    assert begun.wait(30)
    if holds:
        moving.hold()  # Its server stands still, with whatever rows it holds.
    waited.wait(1.0)
    waited.set()
    moving.end()
    # While the load ran: beside the wait, or hardly at all.
    assert (moving.waited_s >= 1.0) is not holds


@pytest.mark.parametrize("found", [False, True])
def test_a_change_that_found_nothing_did_not_wait_for_it(found: bool) -> None:
    begun = threading.Event()

    def make() -> bool:
        begun.set()
        time.sleep(0.1)
        return found

    changes = iter([Change(make)])
    moving = StateChanger(Told(), lambda: next(changes, None), {}, seconds=0.1)
    moving.go_on()
    assert begun.wait(30)
    moving.end()
    assert (moving.waited_s > 0) is found
