"""Deadlines: what takes longer is ended where it stands, whatever it waits for.

In the main thread the alarm signal rings, and its handler raises in the midst of any wait. In other
threads, such as a notebook's, Python raises before the next instruction: there a wait ends by its
own bound first.

An exception that is raised within a finalizer, such as that of a connection which is collected at
that moment, does not leave it: Python reports it to `sys.unraisablehook` and goes on. Such a
deadline rings again.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

AGAIN_S = 0.01
"""After so long, a deadline whose exception was lost in a finalizer rings again."""


class Overdue(BaseException):
    """A deadline has passed. No `Exception`, so that nobody who is ended by it takes it for a fault
    that he could handle; it does not leave the `deadline` that it is of."""

    def __init__(self, of: Deadline | None = None) -> None:
        super().__init__()
        self.of = of


class TookTooLong(Exception):
    """What a deadline ended; the message says what it was, and how long it was given."""


@dataclass(eq=False)
class Deadline:
    """One that was set. `at` is by `time.monotonic`."""

    what: str
    seconds: float
    at: float
    passed: bool = False

    def message(self) -> str:
        """That it has passed."""
        return f"{self.what} did not end within {self.seconds:,.0f} s"


@contextmanager
def deadline(seconds: float, what: str) -> Iterator[Deadline]:
    """Give what happens within `seconds`; `what` names it. Raises `TookTooLong` after that.

    They may be nested; the one that passes first ends what is within it.
    """
    one = Deadline(what, seconds, time.monotonic() + seconds)
    in_main = threading.current_thread() is threading.main_thread()
    ring_again, leave = _by_alarm(one) if in_main else _by_timer(one)
    try:
        with _heard(one, ring_again):
            yield one
    except Overdue as error:
        if error.of is not one and not (error.of is None and one.passed):
            raise
        raise TookTooLong(one.message()).with_traceback(error.__traceback__) from None
    finally:
        leave()


_lock = threading.Lock()
_again: dict[Deadline, tuple[int, Callable[[], None]]] = {}
"""The deadlines that are set, each with its thread and how it rings again; the outermost first."""
_hooks: list[Any] = []
"""Who heard of lost exceptions before us."""


@contextmanager
def _heard(one: Deadline, ring_again: Callable[[], None]) -> Iterator[None]:
    """Meanwhile, an exception of `one` that is lost in a finalizer makes it ring again."""
    with _lock:
        if not _hooks:
            _hooks.append(sys.unraisablehook)
            sys.unraisablehook = _lost
        _again[one] = (threading.get_ident(), ring_again)
    try:
        yield
    finally:
        with _lock:
            del _again[one]
            if not _again:
                hook = _hooks.pop()
                if sys.unraisablehook is _lost:
                    sys.unraisablehook = hook


def _lost(unraisable: sys.UnraisableHookArgs) -> None:
    error = unraisable.exc_value
    if not isinstance(error, Overdue):
        (_hooks[0] if _hooks else sys.__unraisablehook__)(unraisable)
        return
    for one, (thread, ring_again) in tuple(_again.items()):
        if error.of is one or (error.of is None and one.passed and thread == threading.get_ident()):
            ring_again()
            return


_set: list[Deadline] = []
"""Those of the main thread, the outermost first."""
_before: list[Any] = []
"""Who heard the alarm before us."""


def _by_alarm(one: Deadline) -> tuple[Callable[[], None], Callable[[], None]]:
    """How `one` rings again, and how it is left."""
    if not _before:
        _before.append(signal.signal(signal.SIGALRM, _ring))
    _set.append(one)
    _wind()

    def ring_again() -> None:
        one.at, one.passed = time.monotonic() + AGAIN_S, False
        _wind()

    def leave() -> None:
        # One that was left behind has passed, and rings no more.
        _set[:] = [other for other in _set if other is not one and not other.passed]
        _wind()
        if not _set and _before:
            signal.signal(signal.SIGALRM, _before.pop() or signal.SIG_DFL)

    return ring_again, leave


def _wind() -> None:
    """Set the alarm to the next deadline; off where there is none."""
    due = min((one.at for one in _set if not one.passed), default=None)
    left_s = 0.0 if due is None else max(1e-4, due - time.monotonic())
    signal.setitimer(signal.ITIMER_REAL, left_s)


def _ring(_signal: int, _frame: FrameType | None) -> None:
    now = time.monotonic()
    due = next((one for one in _set if not one.passed and one.at <= now), None)
    if due is not None:
        due.passed = True
    _wind()
    if due is not None:
        raise Overdue(due)


def _by_timer(one: Deadline) -> tuple[Callable[[], None], Callable[[], None]]:
    """As `_by_alarm`, in a thread that is not the main one."""
    thread = ctypes.c_ulong(threading.get_ident())
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    timers: list[threading.Timer] = []

    def ring() -> None:
        one.passed = True
        raise_in(thread, ctypes.py_object(Overdue))

    def start(seconds: float) -> None:
        timer = threading.Timer(seconds, ring)
        timer.daemon = True
        timer.start()
        timers.append(timer)

    start(one.seconds)

    def leave() -> None:
        for timer in timers:
            timer.cancel()
        if one.passed:
            raise_in(thread, None)  # It may not have been raised yet.

    return (lambda: start(AGAIN_S)), leave
