"""One picture of a run under way, for whatever redraws it: a terminal, a notebook's cell."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from webdyno.report.live.progress import STEPS, CurrentTrial, RunProgress, StandingLine
from webdyno.report.numbers import counted, scale_for
from webdyno.report.text.limits import word


def draw(state: RunProgress, console: Console) -> RenderableType:
    """One picture of a run under way, no higher than the console."""
    parts: list[RenderableType] = [_head(state), _now(state, console)]
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


def _rates(now: CurrentTrial) -> Text:
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
    table.add_column(Text(title), style="", header_style="dim", no_wrap=True, overflow="ellipsis")
    for name in (rate.unit, f"p99 {p99.unit}", "trials", "limit"):
        table.add_column(name, header_style="dim", justify="right", no_wrap=True)
    for line, tail in zip(lines, p99s, strict=True):
        trials = f"{len(line.rps)}{f' + {line.bad} bad' if line.bad else ''}"
        cells = [line.entry, rate.text(line.median), p99.text(tail), trials, word(line.limit)]
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
