"""How far a load is, as the engine says it and everyone who watches one sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

from webdyno.generators.result import Yielded
from webdyno.store.counts import RequestCounts

TICK_S = 0.1
"""Length of the windows in which a generator counts answers."""

LoadPhase = Literal["connecting", "ready", "loading", "draining", "done"]
PHASES: tuple[LoadPhase, ...] = get_args(LoadPhase)
"""Of a load, in their order; `ready` is one that is held."""


class Tick(NamedTuple):
    """A window of a load that ended at `end_s`: right answers, and errors."""

    end_s: float
    ok: int
    errors: int


class LoadProgress(Yielded):
    """A load under way: `ticks` are those since the last look. Of a generator that tells nothing
    before its end, only the time is known."""

    elapsed_s: float
    phase: LoadPhase = "loading"
    done: bool = False
    counts: RequestCounts = RequestCounts()
    in_flight: int = 0
    """Sent, and not yet answered."""
    ticks: Sequence[Tick] = ()

    @property
    def settled(self) -> int:
        """Requests of which it is known what became of them."""
        return self.counts.ok + self.counts.errors

    @property
    def rps(self) -> float:
        """Answers per second over the newest window; 0 where there is none yet."""
        if not self.ticks:
            return 0.0
        newest = self.ticks[-1]
        begin_s = self.ticks[-2].end_s if len(self.ticks) > 1 else newest.end_s - TICK_S
        return newest.ok / max(newest.end_s - begin_s, 1e-9)


Watch = Callable[[LoadProgress], bool]
"""Called about ten times a second; True asks the generator to end early."""
