"""What a run has done so far, gathered from its events: the state behind the live views."""

from __future__ import annotations

import statistics
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webdyno.report.planned import sentences
from webdyno.store.agenda import PlanRecord
from webdyno.store.records import TrialRecord, entry_label
from webdyno.store.verdicts import VerdictRecord

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = ("prepare", "start", "verify", "warm-up", "measure", "audit", "stop")
"""The steps of a trial in their order, as the live view lists them."""

TICKS = 60
"""Points of the sparkline."""


@dataclass
class Current:
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


@dataclass
class Line:
    """One entry of the table so far."""

    entry: str
    rps: list[float] = field(default_factory=list)
    p99_us: list[float] = field(default_factory=list)
    bad: int = 0
    bottleneck: str = ""

    @property
    def median(self) -> float | None:
        """Median throughput of its good trials."""
        return statistics.median(self.rps) if self.rps else None


class Progress:
    """Takes the events of a run and remembers what a view needs.

    The budget is time for the trials, so its clock starts with the first trial, not with the
    builds. Events that are not known here are passed over: a view must never end a run.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: tuple[float, float] | None = None
        self.title = ""
        self.question = ""
        self.study: dict[str, Any] = {}
        """As it is stored; empty where a view was told no more than its name."""
        self.total = 0
        self.budget_s: float | None = None
        self.block: int | None = None
        self.done = 0
        self.done_in_block = 0
        self.building = ""
        self.current: Current | None = None
        self.lines: dict[tuple[str, str], dict[str, Line]] = {}
        self.verdicts: list[VerdictRecord] = []
        self.skipped: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.finished = False

    def event(self, kind: str, **data: Any) -> None:
        """Take one event; see the views for the kinds and their data."""
        handler = getattr(self, f"_{kind}", None)
        if handler is not None:
            handler(**data)

    @property
    def left_s(self) -> float | None:
        """What is left of the budget; None where there is none."""
        if self._left is None:
            return self.budget_s
        left, when = self._left
        return max(0.0, left - (self._clock() - when))

    def _run_started(
        self, study: Any = "", total_entries: int = 0, budget_s: float | None = None, **_: Any
    ) -> None:
        self.title = _of(study, "title") or _of(study, "name") or str(study)
        self.question = _of(study, "question")
        self.study = study.model_dump(mode="json") if hasattr(study, "model_dump") else {}
        self.total = total_entries
        self.budget_s = budget_s

    def _build_started(self, server: str, **_: Any) -> None:
        self.building = server

    def _build_finished(self, **_: Any) -> None:
        self.building = ""

    def _trial_started(
        self,
        server: str,
        scenario: str,
        load: str,
        block: int,
        order: int,
        variant: str = "default",
        control: bool = False,
        trials_in_block: int | None = None,
        budget_left_s: float | None = None,
        **_: Any,
    ) -> None:
        whole_block = self.done_in_block >= self.total
        self.total = trials_in_block or self.total
        # The run loop knows best; between its words, the clock goes on from the first trial.
        left = budget_left_s if budget_left_s is not None else self.left_s
        if left is not None:
            self._left = (left, self._clock())
        # A block of another scenario may have the same number.
        if block != self.block or whole_block:
            self.block, self.done_in_block = block, 0
        entry = entry_label(server, variant, control)
        self.current = Current(entry, scenario, load, block, order)

    def _step(self, name: str, **_: Any) -> None:
        if self.current is not None:
            self.current.step, self.current.searching = name, ""
            # Each step draws its own curve: a warm-up says nothing of the measurement.
            self.current.ticks.clear()
            self.current.rps, self.current.errors = 0.0, 0

    def _progress(
        self, elapsed_s: float = 0.0, rps: float = 0.0, errors: int = 0, **_: Any
    ) -> None:
        if self.current is not None:
            self.current.elapsed_s, self.current.rps = elapsed_s, rps
            self.current.errors = errors
            self.current.ticks.append(rps)

    def _turn(self, entry: str, rps: float = 0.0, **_: Any) -> None:
        if self.current is not None:
            self.current.turns[entry] = rps

    def _search(self, rate_rps: float = 0.0, step: int = 0, purpose: str = "", **_: Any) -> None:
        if self.current is not None:
            what = "" if purpose == "search" else f", to {purpose}"
            self.current.searching = f"step {step} at {rate_rps:,.0f}/s{what}"
            self.current.ticks.clear()

    def _trial_finished(self, record: TrialRecord, **_: Any) -> None:
        self.done += 1
        self.done_in_block += 1
        self.current = None
        lines = self.lines.setdefault((record.scenario, record.load), {})
        line = lines.setdefault(record.entry, Line(record.entry))
        if record.status != "ok" or record.measurement is None:
            line.bad += 1
            return
        line.rps.append(
            record.search.capacity_rps if record.search else record.measurement.throughput_rps
        )
        if record.measurement.latency_us is not None:
            line.p99_us.append(record.measurement.latency_us.p99)
        line.bottleneck = record.limit or line.bottleneck

    def _block_finished(self, verdicts: Any = (), **_: Any) -> None:
        self.verdicts = list(verdicts or ())

    def _planned(self, plan: PlanRecord, **_: Any) -> None:
        self.notes += sentences(plan, self.study)

    def _server_skipped(self, server: str, reason: str, **_: Any) -> None:
        self.skipped.append((server, reason))

    def _note(self, text: str, **_: Any) -> None:
        self.notes.append(text)

    def _run_finished(self, **_: Any) -> None:
        self.finished = True
        self.current = None


def _of(study: Any, key: str) -> str:
    """A text of a study, which may be its manifest, its stored form, or only its name."""
    held = study.get(key) if isinstance(study, dict) else getattr(study, key, "")
    return held if isinstance(held, str) else ""
