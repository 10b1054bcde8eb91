"""Trials of the same cells in turns: all servers live at once, one of them is awake.

A start does not know of the others: it is the function `run_start`, which calls `pass_on` where
others may have their turn. Each runs in a greenlet, a call stack of its own in this thread: so
signals and deadlines reach the trial that is awake, as they would reach one alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

from greenlet import getcurrent, greenlet  # type: ignore[import-untyped]

from webdyno.generators.plugin import GeneratorPlugin
from webdyno.store.records import TrialRecord
from webdyno.trial.events import Listener
from webdyno.trial.life import StartPlans, run_start
from webdyno.trial.turn_taking.regime import Regimes


def run_in_turns(
    starts: Iterable[StartPlans],
    generator: GeneratorPlugin,
    listener: Listener,
    seed: int,
    regimes: Regimes,
) -> Iterator[TrialRecord]:
    """Run trials whose loads have slices, and give their records as each start's last trial ends.

    One server after the other is started, proven, warmed up and then frozen; after the last, the
    loads go round. Every other round has the order of the one before reversed, so that what becomes
    faster or slower steadily falls on all alike; in between, `seed` draws it anew. Where one of
    them cannot take turns, `regimes` have each loaded in one piece. Close the iterator, and every
    trial under way is ended. Raises as `run_start` does.
    """
    draw = random.Random(seed)
    waiting: list[_Paused] = []
    try:
        for plans in starts:
            trial = _Paused(plans, generator, listener, regimes)
            records = trial.go_on()
            if records is None:
                waiting.append(trial)
            else:
                yield from records
        reverse = False
        while waiting:
            if not reverse:
                draw.shuffle(waiting)
            for trial in waiting[::-1] if reverse else list(waiting):
                records = trial.go_on()
                if records is not None:
                    waiting.remove(trial)
                    yield from records
            reverse = not reverse
    finally:
        # Whatever goes wrong while one is ended, the others are ended as well.
        with ExitStack() as ending:
            for trial in waiting:
                ending.callback(trial.end)


class _Paused:
    """A start that waits for its turn."""

    def __init__(
        self, plans: StartPlans, generator: GeneratorPlugin, listener: Listener, regimes: Regimes
    ) -> None:
        def run() -> list[TrialRecord]:
            return run_start(plans, generator, listener, regimes, _pass_on)

        self._stack = greenlet(run)

    def go_on(self) -> list[TrialRecord] | None:
        """Let it have a turn; its records where it has ended. Raises what it raises."""
        self._stack.parent = getcurrent()
        records: list[TrialRecord] | None = self._stack.switch()
        return records

    def end(self) -> None:
        """End it where it stands, cleaning up; nothing where it has ended."""
        self._stack.parent = getcurrent()
        self._stack.throw()


def _pass_on() -> None:
    """Go back to whoever let this trial have its turn."""
    getcurrent().parent.switch(None)
