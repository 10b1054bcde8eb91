"""What a run has done so far, gathered from its events: the state behind the live views."""

from __future__ import annotations

import statistics
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webdyno.report.text.planned import sentences
from webdyno.store.records import TrialRecord
from webdyno.store.stored_study import StoredStudy
from webdyno.store.verdicts import VerdictRecord
from webdyno.trial.events import (
    BlockFinished,
    BuildFinished,
    BuildStarted,
    Event,
    LoadWentOn,
    Noted,
    PlanMade,
    RunFinished,
    RunStarted,
    SearchStepStarted,
    ServerSkipped,
    StepStarted,
    TrialFinished,
    TrialStarted,
    TurnEnded,
)

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = ("prepare", "start", "verify", "warm-up", "measure", "audit", "stop")
"""The steps of a trial in their order, as the live view lists them."""

_TURNING_POINTS = (
    RunStarted, BuildStarted, BuildFinished, TrialStarted, StepStarted, TrialFinished,
)  # fmt: skip
"""Events after which something else is being done."""

TICKS = 60
"""Points of the sparkline."""


@dataclass
class CurrentTrial:
    """The trial that is under way."""

    entry: str
    scenario: str
    load: str
    block: int
    order: int
    step: str = ""
    searching: str = ""
    elapsed_s: float = 0.0
    rps: float = 0.0
    errors: int = 0
    turns: dict[str, float] = field(default_factory=dict)
    """Where servers take turns: the rate of each so far."""
    ticks: deque[float] = field(default_factory=lambda: deque(maxlen=TICKS))

    def event(self, event: Event) -> None:
        """Take one event of the trial."""
        match event:
            case StepStarted():
                self.step, self.searching = event.name, ""
                # Each step draws its own curve: a warm-up says nothing of the measurement.
                self.ticks.clear()
                self.rps, self.errors = 0.0, 0
            case LoadWentOn():
                self.elapsed_s, self.rps, self.errors = event.elapsed_s, event.rps, event.errors
                self.ticks.append(event.rps)
            case TurnEnded():
                self.turns[event.entry] = event.rps
            case SearchStepStarted():
                what = "" if event.purpose == "search" else f", to {event.purpose}"
                self.searching = f"step {event.step} at {event.rate_rps:,.0f}/s{what}"
                self.ticks.clear()


@dataclass
class StandingLine:
    """One entry of the table so far."""

    entry: str
    rps: list[float] = field(default_factory=list)
    p99_us: list[float] = field(default_factory=list)
    bad: int = 0
    limit: str = ""

    @property
    def median(self) -> float | None:
        """Median throughput of its good trials."""
        return statistics.median(self.rps) if self.rps else None


class RunProgress:
    """Takes the events of a run and remembers what a view needs.

    The budget is time for the trials, so its clock starts with the first trial, not with the
    builds. Events that are not known here are passed over: a view must never end a run.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: tuple[float, float] | None = None
        self.title = ""
        self.question = ""
        self.study: StoredStudy | None = None
        """As it will be stored."""
        self.total = 0
        self.budget_s: float | None = None
        self.block: int | None = None
        self.done = 0
        self.done_in_block = 0
        self.building = ""
        self.current: CurrentTrial | None = None
        self.lines: dict[tuple[str, str], dict[str, StandingLine]] = {}
        self.verdicts: list[VerdictRecord] = []
        self.skipped: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.finished = False
        self._since = clock()

    @property
    def activity(self) -> str:
        """What is being done while no trial is under way."""
        if self.building:
            return f"building {self.building}"
        if self.finished or not self.title:
            return ""
        return "storing and judging results" if self.done else "preparing"

    @property
    def busy_s(self) -> float:
        """How long the present step, or activity, has been going on."""
        return self._clock() - self._since

    def event(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, _TURNING_POINTS):
            self._since = self._clock()
        match event:
            case RunStarted():
                self._run_started(event)
            case BuildStarted():
                self.building = event.server
            case BuildFinished():
                self.building = ""
            case ServerSkipped():
                self.skipped.append((event.server, event.reason))
            case PlanMade():
                self.notes += sentences(event.plan, self.study, advises=event.advises)
            case TrialStarted():
                self._trial_started(event)
            case TrialFinished():
                self._trial_finished(event.record)
            case BlockFinished():
                self.verdicts = list(event.verdicts)
            case Noted():
                self.notes.append(event.text)
            case RunFinished():
                self.finished = True
                self.current = None
            case _ if self.current is not None:
                self.current.event(event)

    @property
    def left_s(self) -> float | None:
        """What is left of the budget; None where there is none."""
        if self._left is None:
            return self.budget_s
        left, when = self._left
        return max(0.0, left - (self._clock() - when))

    def _run_started(self, event: RunStarted) -> None:
        self.title = event.study.title or event.study.name
        self.question = event.study.question
        self.study = StoredStudy.of(event.study)
        self.total = event.total_entries
        self.budget_s = event.budget_s

    def _trial_started(self, event: TrialStarted) -> None:
        whole_block = self.done_in_block >= self.total
        self.total = event.trials_in_block or self.total
        # The run loop knows best; between its words, the clock goes on from the first trial.
        left = event.budget_left_s if event.budget_left_s is not None else self.left_s
        if left is not None:
            self._left = (left, self._clock())
        # A block of another scenario may have the same number.
        if event.block != self.block or whole_block:
            self.block, self.done_in_block = event.block, 0
        self.current = CurrentTrial(
            event.entry, event.scenario, event.load, event.block, event.order
        )

    def _trial_finished(self, record: TrialRecord) -> None:
        self.done += 1
        self.done_in_block += 1
        self.current = None
        lines = self.lines.setdefault(record.cell, {})
        line = lines.setdefault(record.entry, StandingLine(record.entry))
        if record.status != "ok" or record.measurement is None:
            line.bad += 1
            return
        line.rps.append(
            record.search.capacity_rps if record.search else record.measurement.throughput_rps
        )
        if record.measurement.latency_us is not None:
            line.p99_us.append(record.measurement.latency_us.p99)
        line.limit = record.limit or line.limit
