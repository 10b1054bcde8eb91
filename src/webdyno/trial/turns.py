"""Trials of the same cell in turns: all servers live at once, one of them is awake."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from webdyno.generators.base import Generator
from webdyno.store.records import TrialRecord
from webdyno.trial.life import Life, life, next_turn
from webdyno.trial.plan import Listener, TrialPlan
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
    waiting: list[Life] = []
    try:
        for plan in plans:
            trial = life(plan, generator, listener, regime)
            record = next_turn(trial)
            if record is None:
                waiting.append(trial)
            else:
                yield record
        reverse = False
        while waiting:
            if not reverse:
                draw.shuffle(waiting)
            for trial in waiting[::-1] if reverse else list(waiting):
                record = next_turn(trial)
                if record is not None:
                    waiting.remove(trial)
                    yield record
            reverse = not reverse
    finally:
        for trial in waiting:
            trial.close()
