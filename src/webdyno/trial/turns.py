"""Trials of the same cell in turns: all servers live at once, one of them is awake.

A trial does not know of the others: it is the function `run_trial`, which calls `pass_on` where
others may have their turn. Each runs in a greenlet, a call stack of its own in this thread: so
signals and deadlines reach the trial that is awake, as they would reach one alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

from greenlet import getcurrent, greenlet  # type: ignore[import-untyped]

from webdyno.generators.base import Generator
from webdyno.store.records import TrialRecord
from webdyno.trial.events import Listener
from webdyno.trial.life import run_trial
from webdyno.trial.plan import TrialPlan
from webdyno.trial.regime import Regime


def run_in_turns(
    plans: Iterable[TrialPlan],
    generator: Generator,
    listener: Listener,
    seed: int,
    regime: Regime | None = None,
) -> Iterator[TrialRecord]:
    """Run trials whose loads have slices, and give each record as its trial ends.

    One after the other is started, proven, warmed up and then frozen; after the last, the loads go
    round. Every other round has the order of the one before reversed, so that what becomes faster
    or slower steadily falls on all alike; in between, `seed` draws it anew. Where one of them
    cannot take turns, `regime` has each loaded in one piece. Close the iterator, and every trial
    under way is ended. Raises as `run_trial` does.
    """
    draw = random.Random(seed)
    regime = regime or Regime()
    waiting: list[_Paused] = []
    try:
        for plan in plans:
            trial = _Paused(plan, generator, listener, regime)
            record = trial.go_on()
            if record is None:
                waiting.append(trial)
            else:
                yield record
        reverse = False
        while waiting:
            if not reverse:
                draw.shuffle(waiting)
            for trial in waiting[::-1] if reverse else list(waiting):
                record = trial.go_on()
                if record is not None:
                    waiting.remove(trial)
                    yield record
            reverse = not reverse
    finally:
        # Whatever goes wrong while one is ended, the others are ended as well.
        with ExitStack() as ending:
            for trial in waiting:
                ending.callback(trial.end)


class _Paused:
    """A trial that waits for its turn."""

    def __init__(
        self, plan: TrialPlan, generator: Generator, listener: Listener, regime: Regime
    ) -> None:
        self._stack = greenlet(lambda: run_trial(plan, generator, listener, regime, _pass_on))

    def go_on(self) -> TrialRecord | None:
        """Let it have a turn; its record where it has ended. Raises what it raises."""
        self._stack.parent = getcurrent()
        record: TrialRecord | None = self._stack.switch()
        return record

    def end(self) -> None:
        """End it where it stands, cleaning up; nothing where it has ended."""
        self._stack.parent = getcurrent()
        self._stack.throw()


def _pass_on() -> None:
    """Go back to whoever let this trial have its turn."""
    getcurrent().parent.switch(None)
