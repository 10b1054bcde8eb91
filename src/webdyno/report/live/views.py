"""The run as it happens: a live view for a terminal, plain lines for anything else."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from webdyno.report.live.progress import STEPS, Current, RunProgress, StandingLine
from webdyno.report.live.still_building import StillBuilding
from webdyno.report.metrics import metric
from webdyno.report.numbers import counted, duration, scale_for
from webdyno.report.said import planned
from webdyno.report.said.limits import word
from webdyno.report.said.sentences import FEW
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

if TYPE_CHECKING:
    from webdyno.store.records import TrialRecord
    from webdyno.store.verdicts import VerdictRecord


class View(Protocol):
    """Watches a run. `close` may be called at any time, and more than once."""

    def event(self, event: Event) -> None:
        """Take one event of the run."""

    def close(self) -> None:
        """Give the terminal back."""


def view_for(console: Console | None = None) -> LiveView | PlainView:
    """The live view on a terminal, else the plain one."""
    console = console or Console(stderr=True)
    return LiveView(console) if console.is_terminal else PlainView(console)


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
                return planned.sentences(event.plan, state.study)
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


def draw(state: RunProgress, console: Console) -> RenderableType:
    """One picture of a run under way, no higher than the console."""
    parts: list[RenderableType] = [_head(state)]
    parts.append(_now(state, console))
    room = console.height - 7 - min(3, len(state.notes) + len(state.skipped))
    parts.extend(_tables(state, max(3, room)))
    said = [f"left out {server}: {reason}" for server, reason in state.skipped] + state.notes
    parts.extend(Text(t, style="dim", no_wrap=True, overflow="ellipsis") for t in said[-3:])
    return Group(*parts)


def _head(state: RunProgress) -> RenderableType:
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right", no_wrap=True)
    left = state.left_s
    time_left = f"{_clock(left)} left of {_clock(state.budget_s)}" if left is not None else ""
    where = ""
    if state.block is not None:
        where = f"block {state.block + 1}, {state.done_in_block} of {state.total}"
    text = "   ".join(part for part in (where, time_left) if part)
    grid.add_row(Text(state.title, style="bold"), Text(text, style="dim"))
    # In a grid of its own: a bar ends no line.
    bar = Table.grid(expand=True)
    bar.add_row(ProgressBar(total=max(1, state.total), completed=state.done_in_block))
    return Group(grid, bar)


def _now(state: RunProgress, console: Console) -> RenderableType:
    if state.current is None:
        doing = f"{state.activity}  {state.busy_s:.1f} s" if state.activity else " "
        return Text(doing, style="cyan", no_wrap=True, overflow="ellipsis")
    now = state.current
    who = f"{counted(len(now.turns), 'server')} in turns" if now.turns else now.entry
    first = Text.assemble((who, "bold"), f"  {now.scenario}  {now.load}")
    names = list(STEPS) if now.step in STEPS else [*([now.step] if now.step else [])]
    steps = Text("  ").join(
        Text(f"{name} {state.busy_s:.1f} s", style="reverse")
        if name == now.step
        else Text(name, style="dim")
        for name in names
    )
    rate = _rates(now) if now.turns else Text(f"{now.rps:>10,.0f} req/s  ")
    if now.searching:
        rate.append(f"{now.searching}  ", style="dim")
    if now.errors:
        rate.append(f"{now.errors} errors  ", style="red")
    if not now.turns:
        rate.append(sparkline(list(now.ticks), _unicode(console)), style="cyan")
    for line in (first, steps, rate):
        line.no_wrap, line.overflow = True, "ellipsis"
    return Group(first, steps, rate)


def _rates(now: Current) -> Text:
    """Of the servers that take turns, so far."""
    rates = "  ".join(f"{entry} {rps:,.0f}" for entry, rps in sorted(now.turns.items()))
    return Text(f"{rates} req/s  ")


def _tables(state: RunProgress, room: int) -> list[RenderableType]:
    """The table so far of each section, the current one first, as far as there is room."""
    now = (state.current.scenario, state.current.load) if state.current else None
    order = sorted(state.lines, key=lambda pair: pair != now)
    tables: list[RenderableType] = []
    for pair in order:
        lines = sorted(state.lines[pair].values(), key=lambda line: -(line.median or 0))
        shown = lines[: max(0, room - 3)]
        if not shown:
            break
        tables.append(_table(f"{pair[0]}, {pair[1]}, so far", shown, len(lines) - len(shown)))
        room -= len(shown) + 3
    return tables


def _table(title: str, lines: list[StandingLine], more: int) -> Table:
    rate = scale_for("rate", [line.median for line in lines])
    p99s = [sorted(line.p99_us)[len(line.p99_us) // 2] if line.p99_us else None for line in lines]
    p99 = scale_for("latency", p99s)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(title, style="", header_style="dim", no_wrap=True, overflow="ellipsis")
    for name in (rate.unit, f"p99 {p99.unit}", "trials", "limit"):
        table.add_column(name, header_style="dim", justify="right", no_wrap=True)
    for line, tail in zip(lines, p99s, strict=True):
        trials = f"{len(line.rps)}{f' + {line.bad} bad' if line.bad else ''}"
        cells = [line.entry, rate.text(line.median), p99.text(tail), trials, word(line.bottleneck)]
        table.add_row(*(Text(cell) for cell in cells))
    if more > 0:
        table.add_row(Text(f"… {more} more", style="dim"))
    return table


def sparkline(values: list[float], unicode: bool = True) -> str:
    """A curve from zero in one line of text."""
    marks = "▁▂▃▄▅▆▇█" if unicode else "_.-=+*%#"
    top = max(values, default=0.0)
    if top <= 0:
        return marks[0] * len(values)
    return "".join(marks[min(7, int(max(0.0, value) / top * 7.999))] for value in values)


def _unicode(console: Console) -> bool:
    return console.encoding.lower().startswith("utf")


def _clock(seconds: float | None) -> str:
    whole = round(seconds or 0)
    hours = f"{whole // 3600}:{whole % 3600 // 60:02}" if whole >= 3600 else f"{whole // 60}"
    return f"{hours}:{whole % 60:02}"


def _finished(record: TrialRecord, state: RunProgress) -> str:
    place = f"block {record.block + 1}, {state.done_in_block} of {state.total}"
    what = f"{record.entry} {record.scenario} {record.load}"
    said: list[str] = [record.status]
    if record.measurement is not None:
        said.append(_rate(record))
        if record.measurement.latency_us is not None:
            p99 = record.measurement.latency_us.p99
            said.append(f"p99 {scale_for('latency', [p99]).with_unit(p99)}")
    if record.bottleneck:
        said.append(f"limit: {word(record.limit)}")
    if record.reason:
        said.append(record.reason)
    said.extend(flag.code for flag in record.flags)
    return f"{place}: {what}: {', '.join(said)}"


def _rate(record: TrialRecord) -> str:
    found = record.search
    if found is None:
        return f"{record.measurement.throughput_rps:,.0f} req/s" if record.measurement else ""
    if found.kind == "not-met":
        return f"not met at any rate tried ({found.reason})"
    if found.found_nothing:
        return f"no rate found ({found.reason})"
    said, steps = (
        f"{found.capacity_rps:,.0f} req/s at {found.objective}",
        f"{len(found.steps)} steps",
    )
    if found.kind == "at-least":
        return f"at least {said} ({found.reason}) in {steps}"
    return f"{said} [{found.low_rps:,.0f}, {found.high_rps:,.0f}] in {steps}"


def _standing(verdicts: list[VerdictRecord]) -> str:
    # Of a single server there is no first.
    ranked = [verdict for verdict in verdicts if sum(map(len, verdict.groups)) > 1]
    if len(ranked) > FEW:
        settled = sum(verdict.settled for verdict in ranked)
        return f"; {settled} of {counted(len(ranked), 'comparison')} settled"
    said = []
    for verdict in ranked:
        first = " = ".join(verdict.groups[0])
        state = "settled" if verdict.settled else "not settled yet"
        cell = verdict.cell
        several = sum(one.cell == cell for one in ranked) > 1
        by = f" by {metric(verdict.metric).within}" if several else ""
        said.append(f"{verdict.scenario}, {verdict.load}{by}: first {first} ({state})")
    return f"; {'; '.join(said)}" if said else ""
