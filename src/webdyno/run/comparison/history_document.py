"""A study's history: the level of every entry from run to run, and where it changed."""

from __future__ import annotations

from dataclasses import dataclass, field

from webdyno.store.document import Moment, described
from webdyno.store.record import FigureOrNan

MACHINE = "the machine (sentinel)"
"""The series of the sentinel itself: where it changes, all others do, too."""


@described
@dataclass(frozen=True)
class Point:
    """One run's level."""

    run: str
    """The run's id."""
    started: Moment
    """When the run began."""
    value: float | None
    """Geometric mean of its trials that count, in the metric's unit; None where none does."""
    trials: int
    """Trials that count."""
    commit: str = ""
    """That its source was of; empty where none is recorded."""
    modified: bool = False
    """Whether the source differed from that commit."""
    at_least: bool = False
    """Whether `value` is the most that was tried, and the server may do more."""


@described
@dataclass(frozen=True)
class HistoryChange:
    """The level is another from this run on. Its interval, and between which runs it came, hold
    with 95% confidence."""

    run: str
    """Id of the first run at the new level, most probably."""
    index: int
    """Of this run among the history's, from 0 on."""
    ratio: float
    """How many times as good the level is as before."""
    better: bool
    """Whether it is better than before."""
    differs: str
    """What else is different from the run before: versions, source."""
    low: FigureOrNan
    """Lower end of the ratio's interval."""
    high: FigureOrNan
    """Upper end of the ratio's interval."""
    after: str
    """The run after which it came."""
    upto: str
    """The run with which it came at the latest."""
    commits: tuple[str, str] = ("", "")
    """Of `after` and `upto`; empty where it is not recorded, or the source differed from it."""


@described
@dataclass(frozen=True)
class PlaceHistory:
    """One entry under one scenario and load, over all runs."""

    entry: str
    """The server, with its variant; or the machine itself, as its sentinel showed it."""
    scenario: str
    """The work; empty of the machine."""
    load: str
    """How its requests arrived; empty of the machine."""
    points: list[Point]
    """A run each, the oldest first."""
    changes: list[HistoryChange] = field(default_factory=list)
    """Where its level changed."""


@described
@dataclass(frozen=True)
class History:
    """What became of a study."""

    study: str
    """Its name."""
    metric: str
    """Such as `throughput_rps`, requests per second, or `p99_us`, microseconds."""
    runs: list[str]
    """Their ids, the oldest first."""
    places: list[PlaceHistory]
    """Every server, scenario and load."""
    left_out: list[str]
    """Runs and places of which nothing is shown, each with the reason."""
    calibrated: bool
    """Whether changes were sought after the machine's own, as the sentinel showed them, had been
    taken out."""
    reference: str = ""
    """The server, the same in all runs, by which the machine's own changes had been taken out; else
    empty."""
    gaps: list[str] = field(default_factory=list)
    """Places without a usable trial in some of the runs, with the reason."""

    @property
    def judges_something(self) -> bool:
        """Whether any server has a figure."""
        return any(place.entry != MACHINE for place in self.places)
