"""The run as it happens: a live view for a terminal, plain lines for anything else."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol, Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from webdyno.report.live.picture import draw
from webdyno.report.live.progress import RunProgress
from webdyno.report.live.still_building import StillBuilding
from webdyno.report.metrics import metric
from webdyno.report.numbers import counted, scale_for
from webdyno.report.text import planned
from webdyno.report.text.limits import word
from webdyno.report.text.sentences import FEW
from webdyno.trial.events import (
    BlockFinished,
    BuildFinished,
    Event,
    Noted,
    PlanMade,
    RunFinished,
    RunStarted,
    ServerSkipped,
    TrialFinished,
)
from webdyno.words import duration

if TYPE_CHECKING:
    from webdyno.store.records import TrialRecord
    from webdyno.store.verdicts import VerdictRecord


class View(Protocol):
    """Watches a run. `close` may be called at any time, and more than once."""

    def event(self, event: Event) -> None:
        """Take one event of the run."""

    def close(self) -> None:
        """Give the terminal back."""


def view_for(console: Console | None = None, *, plain: bool = False) -> LiveView | PlainView:
    """The live view on a terminal, else the plain one, which `plain` asks for anywhere."""
    console = console or Console(stderr=True)
    return LiveView(console) if console.is_terminal and not plain else PlainView(console)


class PlainView:
    """One line a finished trial, for logs and pipes."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._progress = RunProgress()
        self._building = StillBuilding(self._print)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def event(self, event: Event) -> None:
        """Take one event of the run; print a line if it is worth one."""
        self._building.event(event)
        self._progress.event(event)
        for line in self._lines(event):
            self._print(line)

    def _print(self, line: str) -> None:
        # Whole lines, however long: a log is searched, not looked at.
        self._console.print(Text(line), soft_wrap=True)

    def close(self) -> None:
        """Give nothing back, but say no more."""
        self._building.close()

    def _lines(self, event: Event) -> list[str]:
        state = self._progress
        match event:
            case RunStarted():
                budget = f", budget {duration(state.budget_s)}" if state.budget_s else ""
                return [f"{state.title}: {state.total} trials a block{budget}"]
            case BuildFinished(timed=True):
                return [f"timed the builds of {event.server} in {duration(event.seconds)}"]
            case BuildFinished(cached=False):
                return [f"built {event.server} in {duration(event.seconds)}"]
            case ServerSkipped():
                return [f"left out {event.server}: {event.reason}"]
            case PlanMade():
                return planned.sentences(event.plan, state.study, advises=event.advises)
            case Noted():
                return [event.text]
            case TrialFinished():
                return [_finished(event.record, state)]
            case BlockFinished():
                return [f"block {event.block + 1} done{_standing(state.verdicts)}"]
            case _:
                return []


class LiveView:
    """A view that redraws itself in place; it leaves nothing behind when closed."""

    def __init__(self, console: Console | None = None, *, refresh_per_second: float = 8) -> None:
        self._console = console or Console(stderr=True)
        self._progress = RunProgress()
        # The run's thread writes and the display's thread reads.
        self._lock = threading.Lock()
        self._live = Live(
            console=self._console,
            get_renderable=self._locked,
            refresh_per_second=refresh_per_second,
            transient=True,
        )
        self._shown = False

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def event(self, event: Event) -> None:
        """Take one event of the run; the first one opens the display, run_finished closes it."""
        with self._lock:
            self._progress.event(event)
        if isinstance(event, RunFinished):
            self.close()
        elif not self._shown:
            self._open()

    def close(self) -> None:
        """Clear the display and show the cursor again."""
        if self._shown:
            self._shown = False
            self._live.stop()

    def _open(self) -> None:
        self._shown = True
        self._live.start()

    def _locked(self) -> RenderableType:
        with self._lock:
            return draw(self._progress, self._console)


def _finished(record: TrialRecord, state: RunProgress) -> str:
    place = f"block {record.block + 1}, {state.done_in_block} of {state.total}"
    what = f"{record.entry} {record.scenario} {record.load}"
    words: list[str] = [record.status]
    if record.measurement is not None:
        words.append(_rate(record))
        if record.measurement.latency_us is not None:
            p99 = record.measurement.latency_us.p99
            words.append(f"p99 {scale_for('latency', [p99]).with_unit(p99)}")
    if record.limit:
        words.append(f"limit: {word(record.limit)}")
    if record.reason:
        words.append(record.reason)
    words.extend(flag.code for flag in record.flags)
    return f"{place}: {what}: {', '.join(words)}"


def _rate(record: TrialRecord) -> str:
    search = record.search
    if search is None:
        return f"{record.measurement.throughput_rps:,.0f} req/s" if record.measurement else ""
    if search.kind == "not-met":
        return f"not met at any rate tried ({search.reason})"
    if search.found_nothing:
        return f"no rate found ({search.reason})"
    said, steps = (
        f"{search.capacity_rps:,.0f} req/s at {search.objective}",
        f"{len(search.steps)} steps",
    )
    if search.kind == "at-least":
        return f"at least {said} ({search.reason}) in {steps}"
    return f"{said} [{search.low_rps:,.0f}, {search.high_rps:,.0f}] in {steps}"


def _standing(verdicts: list[VerdictRecord]) -> str:
    # Of a single server there is no first.
    ranked = [verdict for verdict in verdicts if sum(map(len, verdict.groups)) > 1]
    if len(ranked) > FEW:
        settled = sum(verdict.settled for verdict in ranked)
        return f"; {settled} of {counted(len(ranked), 'comparison')} settled"
    parts = []
    for verdict in ranked:
        first = " = ".join(verdict.leaders)
        state = "settled" if verdict.settled else "not settled yet"
        cell = verdict.cell
        several = sum(one.cell == cell for one in ranked) > 1
        by = f" by {metric(verdict.metric).within}" if several else ""
        parts.append(f"{verdict.scenario}, {verdict.load}{by}: first {first} ({state})")
    return f"; {'; '.join(parts)}" if parts else ""
