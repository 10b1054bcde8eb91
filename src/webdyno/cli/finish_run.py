"""What commands that make a run end with: its results shown, its report and its JSON written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webdyno.cli.failures import INTERRUPTED
from webdyno.cli.output import replace_text

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord


def finish(record: RunRecord, json: Path | None, html: Path | None) -> int:
    """Write and show what came of the run: what takes longest, last.

    Gives the exit code: 0 where all was made and a trial went well, 130 after an interrupt, else 1.
    """
    from webdyno.report.formats.json_export import dumps
    from webdyno.report.formats.terminal import show

    report = Path(record.folder) / "report.html"
    kept = (Path(record.folder) / "run.json", json)
    failed = [*_attempt("JSON", lambda: _write(kept, dumps(record)))]
    try:
        failed += _attempt("results", lambda: show(record, report=str(html or report)))
    finally:  # Also where nobody reads the results any more, which ends the command.
        failed += _attempt("report", lambda: _write((report, html), _page(record)))
    for what, error in failed:
        typer.echo(
            f"webdyno: the {what} of run {record.id} could not be written ({error}); the run is "
            f"stored: `webdyno report {record.id}` tries again",
            err=True,
        )
    if record.status == "interrupted":
        return INTERRUPTED
    return 0 if not failed and any(trial.status == "ok" for trial in record.trials) else 1


def _page(record: RunRecord) -> str:
    from webdyno.report.formats.html import render_html

    return render_html(record)


def _write(paths: Iterable[Path | None], text: str) -> None:
    for path in paths:
        if path is not None:
            replace_text(path, text)


def _attempt(output: str, make: Callable[[], None]) -> Iterator[tuple[str, str]]:
    """What of the results could not be made, and why: one fault must not hide the rest."""
    try:
        make()
    except Exception as error:
        if os.environ.get("WEBDYNO_DEBUG"):
            raise
        message = " ".join(str(error).split())
        yield output, f"{type(error).__name__}: {message}" if message else type(error).__name__
