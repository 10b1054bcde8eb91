"""`webdyno history`: what became of a study from run to run, and where it changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.unfinished import UNDER_WAY, how_to_finish, state_of
from webdyno.errors import UserError

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord
    from webdyno.store.store import RunListing, Store


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
    from webdyno.catalog.studies.made_names import of_ab
    from webdyno.cli import context
    from webdyno.cli.output import check_writable, write_and_show
    from webdyno.report.formats import history as shown
    from webdyno.run.comparison.history import history_of
    from webdyno.store.document import written

    check_writable(json, html)
    store = context.reading_store()
    runs, left_out = _gathered(store, study, files or [])
    if not runs:
        why = f" ({'; '.join(left_out)})" if left_out else ""
        compared = of_ab(study)
        remedy = (
            f"`webdyno history {compared}` shows what `webdyno ab` compared"
            if store.listed(compared)
            else "`webdyno list runs` lists the stored runs"
        )
        raise UserError(f"no runs of study '{study}'{why}; {remedy}")
    newest = max(runs, key=lambda run: run.started)
    asked = metric or newest.study.judged[0]
    found = history_of(runs, asked, passed_over=left_out)

    def document() -> str:
        return written(found)

    wanted = [(json, document), (html, lambda: shown.render_html(found))]
    write_and_show(wanted, lambda: shown.show(found))


def _gathered(store: Store, study: str, files: Sequence[Path]) -> tuple[list[RunRecord], list[str]]:
    """The ended runs of `study`, stored and in `files`, each of them once; and what is not among
    them, with the reason."""
    from webdyno.report.formats.json_import import read_export
    from webdyno.store.reading import Unreadable

    runs: dict[str, RunRecord] = {}
    left_out: list[str] = []
    for listed in store.listed(study):
        try:
            if listed.status == "running":
                left_out.append(f"{listed.id}: {_not_ended(listed, store)}")
            else:
                runs[listed.id] = store.run(listed.id)
        except Unreadable as error:
            left_out.append(str(error).removeprefix("run "))
    stored = set(runs)
    for path in files:
        run = read_export(path)
        if (of := run.study.name) != study:
            left_out.append(f"{path}: a run of study '{of}', not of '{study}'")
        elif run.status == "running":
            left_out.append(f"{path}: its run had not ended; export it again when it has")
        elif run.id in runs:
            where = "stored here" if run.id in stored else "in another file"
            left_out.append(f"{path}: run {run.id} is {where} as well, and counts once")
        else:
            runs[run.id] = run
    return list(runs.values()), left_out


def _not_ended(run: RunListing, store: Store) -> str:
    state = state_of(run.id, run.status, store)
    if state == UNDER_WAY:
        return "under way; ask again when it has ended"
    return f"{state}; {how_to_finish(store.run(run.id))}"
