"""How far a load of `hit` is, while it is on."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn
from rich.text import Text

from webdyno.generators.progress import TICK_S, LoadProgress
from webdyno.generators.specification import IterationsShape, Shape
from webdyno.report.numbers import counted

_LINES = 10
"""How many lines of progress a log gets."""


class LiveLine:
    """How far the load is: one changing line on a terminal, some lines in a log. On stderr."""

    def __init__(self, load: Shape, console: Console) -> None:
        self._total_s = load.seconds()
        self._total = load.requests if isinstance(load, IterationsShape) else None
        self._said_s = 0.0
        self._console = console
        self._progress: Progress | None = None
        if console.is_terminal:
            columns: list[ProgressColumn] = [
                BarColumn(bar_width=24),
                TextColumn("{task.fields[state]}"),
            ]
            self._progress = Progress(
                *columns, console=console, transient=True, refresh_per_second=5
            )
            whole = self._total_s or self._total
            self._task = self._progress.add_task("", total=whole, state="connecting")

    def __enter__(self) -> Self:
        if self._progress:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress:
            self._progress.stop()

    def update(self, progress: LoadProgress) -> None:
        """Show how far it is."""
        state = self._state(progress)
        done = progress.settled if self._total_s is None else progress.elapsed_s
        if self._progress:
            self._progress.update(self._task, completed=done, state=state)
        elif progress.elapsed_s - self._said_s >= max(1.0, (self._total_s or 20.0) / _LINES):
            self._said_s = progress.elapsed_s
            self._console.print(Text(f"  {state}"), soft_wrap=True)

    def _state(self, progress: LoadProgress) -> str:
        if progress.phase == "connecting":
            return "connecting"
        ticks, errors = progress.ticks, progress.counts.errors
        rate = sum(tick.ok for tick in ticks) / (TICK_S * len(ticks)) if ticks else 0.0
        if self._total_s is not None:
            far = f"{progress.elapsed_s:.1f} of {self._total_s:g} s"
        else:
            far = f"{progress.settled:,} of {self._total:,} requests"
        state = f"{far}   {rate:,.0f} req/s   {progress.in_flight:,} in flight"
        return state + (f"   {counted(errors, 'error')}" if errors else "")
