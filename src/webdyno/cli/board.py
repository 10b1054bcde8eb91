"""`webdyno run board`: every server in every scenario, kept current sitting by sitting."""

from __future__ import annotations

import contextlib
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from webdyno.board.matrix import Matrix

BOARD = "board"
DEFAULT_BUDGET_S = 3600.0


def run_board(
    *,
    budget_s: float | None,
    servers: Sequence[str],
    scenarios: Sequence[str],
    reference: str,
    json: Path | None,
    html: Path | None,
    plain: bool,
    dry_run: bool,
) -> int:
    """Measure what the board needs most within `budget_s`, then show it; gives the exit code. With
    `dry_run` nothing is measured, it is told what there is to do, and the files hold what is known.

    Raises `UserError`.
    """
    from webdyno.board import forecast
    from webdyno.board.columns import columns_of
    from webdyno.board.link import ERROR
    from webdyno.board.matrix import matrix_of
    from webdyno.board.show import show
    from webdyno.board.sitting import Sitting
    from webdyno.cli import context
    from webdyno.cli.failures import INTERRUPTED
    from webdyno.cli.output import write_and_show
    from webdyno.report.live.views import view_for
    from webdyno.run.budget.budget import Budget
    from webdyno.run.settings import RunEnvironment

    began = time.monotonic()
    catalog = context.catalog()
    opened = context.reading_store if dry_run else context.open_store
    with contextlib.closing(opened()) as store:
        columns = columns_of(catalog, store, servers, scenarios, reference)
        known = {column.scenario for column in columns}
        if lacking := [name for name in scenarios if name not in known]:
            typer.echo(
                f"{', '.join(lacking)}: left out, since no two of the servers can serve it here"
            )
        if dry_run:
            matrix = matrix_of(columns, catalog, 1 - ERROR)
            foretold = forecast.forecast(columns, matrix).lines()
            write_and_show(_files(matrix, json, html), lambda: typer.echo("\n".join(foretold)))
            return 0
        budget = Budget(DEFAULT_BUDGET_S if budget_s is None else budget_s)
        with view_for(plain=plain) as view:
            environment = RunEnvironment(catalog, context.home(), store, view.event)
            sitting = Sitting(environment, columns, budget, lambda said: typer.echo(said))
            sitting.measure()
        matrix = matrix_of(sitting.columns, catalog, 1 - ERROR)
    said = _spent(sitting.pieces, time.monotonic() - began)

    def shown() -> None:
        show(matrix)
        typer.echo(said)

    write_and_show(_files(matrix, json, html), shown)
    return INTERRUPTED if sitting.interrupted else 0


def _files(
    matrix: Matrix, json: Path | None, html: Path | None
) -> list[tuple[Path | None, Callable[[], str]]]:
    """The files of a board, each with what makes its text."""
    from webdyno.store.document import written

    def page() -> str:
        from webdyno.board.page import render_html

        return render_html(matrix)

    return [(json, lambda: written(matrix)), (html, page)]


def _spent(pieces: int, seconds: float) -> str:
    """What the sitting took, of time and of memory."""
    from webdyno.report.numbers import counted
    from webdyno.words import duration

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"this sitting: {counted(pieces, 'piece')} in {duration(seconds)}; peak memory of Webdyno "
        f"itself: {most:.0f} MB"
    )
