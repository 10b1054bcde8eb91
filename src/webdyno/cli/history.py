"""`webdyno history`: what became of a study from run to run, and where it changed."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.errors import UserError

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord
    from webdyno.store.store import Store


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
    from webdyno.run.comparison.history import history_of

    runs, left_out = _gathered(context.reading_store(), study, files or [])
    if not runs:
        why = f" ({'; '.join(left_out)})" if left_out else ""
        raise UserError(
            f"no runs of study '{study}'{why}; `webdyno list runs` lists the stored runs"
        )
    newest = max(runs, key=lambda run: run.started)
    asked = metric or newest.asked.metrics[0]
    found = history_of(runs, asked, passed_over=left_out)
    shown.show(found)
    if json is not None:
        write(json, jsonlib.dumps(shown.as_dict(found), indent=2, ensure_ascii=False) + "\n")
    if html is not None:
        write(html, shown.render_html(found))


def _gathered(store: Store, study: str, files: Sequence[Path]) -> tuple[list[RunRecord], list[str]]:
    """The ended runs of `study`, stored and in `files`, each of them once; and what is not among
    them, with the reason."""
    from webdyno.report.formats.json_import import read_export

    runs: dict[str, RunRecord] = {}
    left_out: list[str] = []
    for run in store.runs(study):
        if run.status == "running":
            left_out.append(f"{run.id}: {_not_ended(run, store)}")
        else:
            runs[run.id] = store.run(run.id)
    stored = set(runs)
    for path in files:
        run = read_export(path)
        if (of := run.asked.name) != study:
            left_out.append(f"{path}: a run of study '{of}', not of '{study}'")
        elif run.status == "running":
            left_out.append(f"{path}: its run had not ended; export it again when it has")
        elif run.id in runs:
            where = "stored here" if run.id in stored else "in another file"
            left_out.append(f"{path}: run {run.id} is {where} as well, and counts once")
        else:
            runs[run.id] = run
    return list(runs.values()), left_out


def _not_ended(run: RunRecord, store: Store) -> str:
    from webdyno.run.record.writer import under_way

    if under_way(run.id, Path(run.folder), store):
        return "under way; ask again when it has ended"
    if run.asked.name.startswith("ab-"):
        return "unfinished, and a comparison cannot be continued; repeat its command"
    return f"unfinished; `webdyno run --resume {run.id}` continues it"
