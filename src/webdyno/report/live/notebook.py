"""The progress of a run where it was started: in a notebook, in a terminal, or in a log."""

from __future__ import annotations

import importlib
import sys
import time
from typing import Protocol

from rich.console import Console

from webdyno.report.live.picture import draw
from webdyno.report.live.progress import RunProgress
from webdyno.report.live.views import View, view_for
from webdyno.trial.events import Event

EVERY_S = 0.5
"""How often the picture in a notebook is drawn anew: each one is a message to the browser."""

WIDTH, HEIGHT = 100, 30
"""Of that picture, in characters."""


class Display(Protocol):
    """A notebook's output that can be replaced, as `IPython.display.display` gives one."""

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        """Show `data`, by MIME type, in place of what was shown."""


def view_here() -> View:
    """A view for wherever this code runs."""
    display = notebook_display()
    return view_for() if display is None else NotebookView(display)


def notebook_display() -> Display | None:
    """A new output of the notebook's current cell; None outside of notebooks."""
    # Only a kernel has it loaded, and only a kernel's shell shows more than text.
    if "IPython" not in sys.modules:
        return None
    shell = importlib.import_module("IPython").get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    display = importlib.import_module("IPython.display").display
    handle: Display = display({"text/plain": ""}, raw=True, display_id=True)
    return handle


class NotebookView:
    """The live view as text in a cell's output, replaced twice a second. What stays when the run
    has ended is nothing: the result shows itself."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._progress = RunProgress()
        self._drawn_at = float("-inf")

    def event(self, event: Event) -> None:
        """Take one event of the run; draw if the last picture is old enough."""
        self._progress.event(event)
        if time.monotonic() - self._drawn_at >= EVERY_S:
            self._show(self._picture())

    def close(self) -> None:
        """Clear the output."""
        self._show("")

    def _picture(self) -> str:
        console = Console(
            width=WIDTH, height=HEIGHT, force_terminal=False, force_jupyter=False, color_system=None
        )
        with console.capture() as captured:
            console.print(draw(self._progress, console))
        return captured.get().rstrip()

    def _show(self, text: str) -> None:
        self._drawn_at = time.monotonic()
        self._display.update({"text/plain": text}, raw=True)
