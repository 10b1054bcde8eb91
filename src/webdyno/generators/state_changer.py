"""State that moves while a load runs: changed at random moments, which the engine is told of."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from webdyno.generators.state_change import LookupChange, StateChange, change_of

SHORTEST_S, LONGEST_S = 0.02, 1.0
"""Bounds of the time from one change to the next, uniform between them, while the load runs."""

LEAST, LIKELY = 4, 10
"""Changes of a short load at the least, and of a long one about: each may cost the start of a
program, and few find a server that keeps what it read."""


class ChangeReceiver(Protocol):
    """The engine's load, as far as it is told of changes."""

    def begin_change(self, spec: str) -> None:
        """From now on old and new are right."""
        ...

    def end_change(self) -> None:
        """What is sent from now on must be answered by the new state."""
        ...


class StateChanger:
    """Makes changes on a thread of its own while the load runs; its clock stops with the load's."""

    def __init__(
        self,
        load: ChangeReceiver,
        changes: Callable[[], StateChange | None],
        lookups: Mapping[str, Mapping[str, str]],
        seconds: float,
        cpus: Sequence[int] = (),
    ) -> None:
        """Of a load of `seconds`; `lookups` of plain dicts are kept up with the changes.

        Changes are made from `cpus`, the load's own, so that they take nothing from the server.
        """
        self._load, self._changes, self._lookups = load, changes, lookups
        # A server that knew the moments could read once after each, and keep what it read.
        self._random = random.SystemRandom()
        self._longest_s = max(
            min(LONGEST_S, seconds / LEAST), 2.0 * seconds / LIKELY, 2 * SHORTEST_S
        )
        self._cpus = cpus
        self._state = threading.Condition()
        self._running = self._ended = False
        self._since = self._ran_s = 0.0
        self.waited_s = 0.0
        """The longest that a change has taken, by the load's clock: one whose rows the server holds
        takes as long as it likes. Not one that found nothing to change."""
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._work, name="webdyno-changer", daemon=True)

    def go_on(self) -> None:
        """Begin, or go on after `hold`."""
        with self._state:
            if not self._running:
                self._since = time.monotonic()
            self._running = True
            self._state.notify()
        if self._thread.ident is None:
            self._thread.start()

    def hold(self) -> None:
        """Make no further change until `go_on`."""
        with self._state:
            self._ran_s = self._clock_s()
            self._running = False
            self._state.notify()

    def leave(self) -> None:
        """Make no further change at all; one that is under way is not waited for."""
        with self._state:
            self._ended = True
            self._state.notify()

    def end(self) -> None:
        """Make no further change at all. Raises what a change raised."""
        self.leave()
        if self._thread.ident is not None:
            self._thread.join()
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def _work(self) -> None:
        try:
            if self._cpus:
                os.sched_setaffinity(0, self._cpus)  # Of this thread, and of what works for it.
            while self._wait(self._random.uniform(SHORTEST_S, self._longest_s)):
                if (change := self._changes()) is None:
                    return
                self._make(change)
        except Exception as error:  # It belongs to the trial's own thread.
            self._error = error

    def _make(self, change: StateChange) -> None:
        spec = change_of(change)
        self._load.begin_change(spec.model_dump_json())
        with self._state:
            began_s = self._clock_s()
        if change.apply():
            with self._state:
                self.waited_s = max(self.waited_s, self._clock_s() - began_s)
        self._load.end_change()
        bodies = self._lookups.get(spec.variable) if isinstance(spec, LookupChange) else None
        if isinstance(bodies, dict):
            # A search makes several loads, and each begins with what is right by then.
            bodies.update(change.expected)

    def _clock_s(self) -> float:
        """How long the load has run so far; the caller holds `_state`."""
        return self._ran_s + (time.monotonic() - self._since if self._running else 0.0)

    def _wait(self, seconds: float) -> bool:
        """Wait for so long while the load runs; False where it has ended."""
        with self._state:
            while seconds > 0 and not self._ended:
                began = time.monotonic()
                if self._running:
                    self._state.wait(seconds)
                    seconds -= time.monotonic() - began
                else:
                    self._state.wait()
            return not self._ended
