"""`webdyno history`: what became of a study from run to run, and where it changed."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated

import typer

from webdyno.errors import UserError


def history(
    study: Annotated[str, typer.Argument(help="The study's name.")] = "quick",
    metric: Annotated[str, typer.Option(help="The metric to show, one of the study's.")] = "",
    files: Annotated[
        list[Path] | None,
        typer.Option("--file", help="An exported run to add to the stored ones; repeatable."),
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the history here as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write it here as HTML.")] = None,
) -> None:
    """Show a study's results over its runs, and where they changed."""
    from webdyno.cli import context
    from webdyno.cli.output import write
    from webdyno.report.formats import history as shown
    from webdyno.report.formats.json_import import read_export
    from webdyno.run.comparison.history import history_of

    store = context.open_store()
    stored = [store.run(run.id) for run in store.runs(study) if run.status != "running"]
    known = {run.id for run in stored}
    added = [run for run in map(read_export, files or []) if run.id not in known]
    runs = [*stored, *(run for run in added if run.study.get("name") == study)]
    if not runs:
        raise UserError(f"no runs of study '{study}'; `webdyno list runs` lists the stored runs")
    newest = max(runs, key=lambda run: run.started)
    found = history_of(runs, metric or str(newest.study["metrics"][0]))
    shown.show(found)
    if json is not None:
        write(json, jsonlib.dumps(shown.as_dict(found), indent=2, ensure_ascii=False) + "\n")
    if html is not None:
        write(html, shown.render_html(found))
