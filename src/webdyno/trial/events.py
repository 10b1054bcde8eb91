"""What happens in a run, as its listener is told: one class for each kind of event.

Blocks count from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webdyno.catalog.studies.study import StudyManifest
from webdyno.generators.progress import Tick
from webdyno.store.agenda import PlanRecord
from webdyno.store.records import RunRecord, TrialRecord, entry_label
from webdyno.store.verdicts import VerdictRecord


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened."""


Listener = Callable[[Event], None]
"""Told of what happens; passes over what it does not know."""


def silent(_event: Event) -> None:
    """A listener that ignores everything."""


@dataclass(frozen=True, kw_only=True)
class RunStarted(Event):
    """A run begins; `total_entries` is how many trials a block of everything has."""

    study: StudyManifest
    total_entries: int
    budget_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class BuildStarted(Event):
    """A server is being built; `timed` where that is done again, to time it."""

    server: str
    timed: bool = False


@dataclass(frozen=True, kw_only=True)
class BuildFinished(Event):
    """It was built; `cached` where it had been before, `timed` where it was built again to time it.

    `seconds` is how long that took; of a cached build, how long it took then.
    """

    server: str
    seconds: float
    cached: bool
    timed: bool = False


@dataclass(frozen=True, kw_only=True)
class ServerSkipped(Event):
    """A server cannot take part."""

    server: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class PlanMade(Event):
    """What will be measured is known."""

    plan: PlanRecord
    advises: bool = True
    """Whether its budget is the one that the user gave, and may give another of."""


@dataclass(frozen=True, kw_only=True)
class TrialStarted(Event):
    """A trial begins, the one at place `order` of its block."""

    server: str
    variant: str = "default"
    control: bool = False
    scenario: str
    load: str
    block: int
    order: int
    trials_in_block: int | None = None
    budget_left_s: float | None = None

    @property
    def entry(self) -> str:
        """How views name the server."""
        return entry_label(self.server, self.variant, self.control)


@dataclass(frozen=True, kw_only=True)
class StepStarted(Event):
    """A step of the trial begins."""

    name: str


@dataclass(frozen=True, kw_only=True)
class LoadWentOn(Event):
    """How far a load is: its newest rate, its errors in all, and its windows since the last
    event."""

    elapsed_s: float
    rps: float
    errors: int
    ticks: Sequence[Tick] = ()


@dataclass(frozen=True, kw_only=True)
class TurnEnded(Event):
    """A server that takes turns had one; `rps` is its rate over all of them so far."""

    entry: str
    rps: float
    elapsed_s: float
    ticks: Sequence[Tick] = ()


@dataclass(frozen=True, kw_only=True)
class SearchStepStarted(Event):
    """A search tries a rate; its steps count from 1."""

    rate_rps: float
    purpose: str
    step: int


@dataclass(frozen=True, kw_only=True)
class TrialFinished(Event):
    """A trial has ended and is stored."""

    record: TrialRecord


@dataclass(frozen=True, kw_only=True)
class BlockFinished(Event):
    """A block has ended; `verdicts` are what all trials so far support."""

    block: int
    verdicts: Sequence[VerdictRecord]


@dataclass(frozen=True, kw_only=True)
class RunFinished(Event):
    """The run has ended, well or not."""

    run: RunRecord


@dataclass(frozen=True, kw_only=True)
class Noted(Event):
    """Something that whoever watches should know."""

    text: str
