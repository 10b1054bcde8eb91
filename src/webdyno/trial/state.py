"""What a trial carries from step to step."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime

from webdyno.runtime.processes.deadline import deadline
from webdyno.runtime.processes.ending import Ending
from webdyno.runtime.services import RunningService
from webdyno.store.findings import AnswerRecord
from webdyno.store.records import (
    FlagRecord,
    Measurement,
    TrialStatus,
    Warmup,
    now,
)
from webdyno.store.search import SearchRecord
from webdyno.trial.events import Listener, StepStarted
from webdyno.trial.starting.start import RunningServer
from webdyno.trial.turn_taking.regime import PassOn, Regime, alone
from webdyno.verdict.limits.limit import Limit
from webdyno.verifier import Verifier


def day_ahead_s() -> float:
    """By how much the system's clock is ahead of the one that nobody sets: always the same, unless
    it is set, or the machine slept."""
    return time.time() - time.monotonic()


@dataclass
class TrialState:
    """What is known of a trial so far, whichever step it fails in."""

    began: datetime = field(default_factory=now)
    ahead_s: float = field(default_factory=day_ahead_s)
    """`day_ahead_s` when it began."""
    ended: datetime | None = None
    """None: when its record is made."""
    status: TrialStatus = "ok"
    reason: str = ""
    lie: str = ""
    verifier: Verifier | None = None
    services: list[RunningService] = field(default_factory=list)
    server: RunningServer | None = None
    ending: Ending | None = None
    """Where the load was measured: when the server ended meanwhile, if it did."""
    stop_seconds: float | None = None
    warmup: Warmup | None = None
    warmed_s: float = 0.0
    """How long the server was warmed up since it started, under this load and those before."""
    measurement: Measurement | None = None
    search: SearchRecord | None = None
    limit: Limit | None = None
    answer: AnswerRecord | None = None
    regime: Regime = field(default_factory=Regime)
    flags: list[FlagRecord] = field(default_factory=list)
    not_steady: str = ""
    steps: dict[str, float] = field(default_factory=dict)
    others: PassOn = alone
    away_s: float = 0.0
    """How long other trials had their turn."""

    def warmed_up(self, warmup: Warmup) -> None:
        """The server was warmed up once more, for the load that comes now."""
        self.warmup = warmup
        self.warmed_s += warmup.seconds

    def next(self, regime: Regime) -> TrialState:
        """What the next load of the same start carries: the server as it is, still warm or not."""
        return TrialState(
            verifier=self.verifier,
            services=self.services,
            server=self.server,
            warmup=self.warmup if not self.not_steady else None,
            warmed_s=self.warmed_s,
            regime=regime,
            others=self.others,
        )

    def own_s(self) -> float:
        """A clock in seconds that stands still while others have their turn."""
        return time.monotonic() - self.away_s

    def pass_on(self) -> None:
        """Let other trials have their turn, whose time is not this one's; back when it is due."""
        began = time.monotonic()
        try:
            self.others()
        finally:
            self.away_s += time.monotonic() - began


@contextmanager
def step(
    name: str, state: TrialState, listener: Listener, limit: tuple[float, str] | None = None
) -> Iterator[None]:
    """Tell of a step of the trial, and add up what it takes.

    `limit` gives it so many seconds, and names it where it takes longer. Raises `TookTooLong`.
    """
    listener(StepStarted(name=name))
    started = state.own_s()
    try:
        with deadline(*limit) if limit else nullcontext():
            yield
    finally:
        before = state.steps.get(name, 0.0)
        state.steps[name] = round(before + state.own_s() - started, 4)
