"""Deadlines end whatever is waited for, the right one of several, and leave nothing behind."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time

import pytest

from webdyno.runtime.processes.deadline import Overdue, TookTooLong, deadline


def test_what_takes_too_long_is_ended_in_the_midst_of_a_wait() -> None:
    began = time.monotonic()
    with (
        pytest.raises(TookTooLong, match="the nap did not end within 0 s"),
        deadline(0.1, "the nap"),
    ):
        subprocess.run(["sleep", "30"], check=False)
    assert time.monotonic() - began < 25


def test_nobody_takes_it_for_a_fault_of_his_own() -> None:
    def stubborn() -> None:
        while True:
            with contextlib.suppress(Exception):
                time.sleep(30)

    with pytest.raises(TookTooLong), deadline(0.1, "it"):
        stubborn()


def test_of_nested_ones_the_first_to_pass_ends_what_is_within_it() -> None:
    after = False
    with deadline(60, "the outer") as outer:
        with pytest.raises(TookTooLong, match="the inner"), deadline(0.1, "the inner"):
            time.sleep(30)
        after = True
    assert after
    assert not outer.passed
    told: list[str] = []
    with pytest.raises(TookTooLong, match="the outer"), deadline(0.1, "the outer"):
        _nap_within(told)
    assert told == ["the outer"]


def _nap_within(told: list[str]) -> None:
    try:
        with deadline(60, "the inner"):
            time.sleep(30)
    except Overdue as error:  # As whoever ends a trial for the run's sake.
        told.append(error.of.what if error.of else "")
        raise


class _SlowToGo:
    """Python raises what the deadline raises within its finalizer, and goes on."""

    def __del__(self) -> None:
        until = time.monotonic() + 0.3
        while time.monotonic() < until:
            pass


def _collect_one_then_wait() -> None:
    gone = _SlowToGo()
    del gone
    until = time.monotonic() + 20
    while time.monotonic() < until:
        pass


@pytest.mark.parametrize("in_main", [True, False], ids=["main thread", "another thread"])
def test_one_that_is_lost_in_a_finalizer_rings_again(in_main: bool) -> None:
    took_s: list[float] = []

    def attempt() -> None:
        began = time.monotonic()
        with pytest.raises(TookTooLong), deadline(0.1, "it"):
            _collect_one_then_wait()
        took_s.append(time.monotonic() - began)

    hook = sys.unraisablehook
    if in_main:
        attempt()
    else:
        thread = threading.Thread(target=attempt)
        thread.start()
        thread.join()
    assert took_s
    assert took_s[0] < 10
    assert sys.unraisablehook is hook


def test_one_that_was_kept_rings_no_more() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with deadline(60, "it"):
        assert signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == before


def test_in_another_thread_a_loop_is_ended() -> None:
    told: list[str] = []

    def work() -> None:
        try:
            with deadline(0.1, "the loop"):
                while True:
                    time.sleep(0.01)
        except TookTooLong as error:
            told.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(30)
    assert told == ["the loop did not end within 0 s"]
