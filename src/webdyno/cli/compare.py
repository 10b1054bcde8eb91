"""`webdyno compare`: two runs of the same work on the same machine, the older first."""

from __future__ import annotations

from typing import Annotated

import typer


def compare(
    old: Annotated[str, typer.Argument(help="The earlier run: its id, or the beginning of it.")],
    new: Annotated[str, typer.Argument(help="The later run, or 'latest'.")] = "latest",
    force: Annotated[
        bool, typer.Option("--force", help="Compare although machine or work differ.")
    ] = False,
) -> None:
    """Show what changed between two stored runs, with intervals."""
    from rich.console import Console
    from rich.table import Table

    from webdyno.cli import context
    from webdyno.run.compare import compare_runs

    store = context.open_store()
    before, after = store.run(old), store.run(new)
    rows = compare_runs(before, after, force=force)
    table = Table(box=None, pad_edge=False, title=f"{before.id} → {after.id}", title_justify="left")
    for column in ("server", "scenario", "load", "metric"):
        table.add_column(column, overflow="fold")
    for column in ("old", "new", "ratio"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("outcome", overflow="fold")
    for row in rows:
        found = row.change
        ratio = f"{found.estimate:.3f} [{found.low:.3f}, {found.high:.3f}]" if found else "–"
        outcome = found.outcome if found else "too few trials"
        note = f" ({row.note})" if row.note else ""
        table.add_row(
            row.entry, row.scenario, row.load, row.metric,
            f"{row.old:,.1f}", f"{row.new:,.1f}", ratio, outcome + note,
        )  # fmt: skip
    Console().print(table)
    typer.echo(
        "A ratio above 1 means that the later run is better. Intervals hold for all rows at once."
    )
