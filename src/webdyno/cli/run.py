"""`webdyno run`: answer a study's question on this machine."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.catalog import quantity
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.supervision import supervised

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord


def run(
    study: Annotated[
        str, typer.Argument(help="A study's name, or the path of its file.")
    ] = "quick",
    budget: Annotated[
        str | None, typer.Option(help="Time for the trials, such as 3m (builds not counted).")
    ] = None,
    servers: Annotated[
        str | None, typer.Option(help="Only these: language/name[@variant], separated by commas.")
    ] = None,
    scenarios: Annotated[str | None, typer.Option(help="Only these, separated by commas.")] = None,
    blocks: Annotated[int | None, typer.Option(help="At most this many blocks.", min=1)] = None,
    method: Annotated[
        str | None, typer.Option(help="Which loads: sound, as-published, or both.")
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(help="How long the published closed loads last, instead of as published."),
    ] = None,
    build_times: Annotated[
        bool | None,
        typer.Option(
            "--build-times/--no-build-times", help="Measure builds, whatever the study says."
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the results here as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the report here, too.")] = None,
    resume: Annotated[
        str | None,
        typer.Option(help="Go on with a killed run: its id, or 'latest'."),
    ] = None,
    jtl: Annotated[
        bool, typer.Option("--jtl", help="Keep each request, for `report --jtl DIR`.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Lines instead of a live view.")] = False,
) -> None:
    """Run a study: build, prove, load, compare. Without a name: `quick`."""
    # Forked before anything heavy is imported: threads and fork do not go together.
    code = supervised(
        lambda: _run(
            study,
            budget,
            servers,
            scenarios,
            blocks,
            method,
            duration,
            build_times,
            json,
            html,
            resume,
            jtl,
            plain,
        ),
        Home.default().temporary,
    )
    raise typer.Exit(code)


def _run(
    name: str,
    budget: str | None,
    servers: str | None,
    scenarios: str | None,
    blocks: int | None,
    method: str | None,
    duration: str | None,
    build_times: bool | None,
    json: Path | None,
    html: Path | None,
    resume: str | None,
    jtl: bool,
    plain: bool,
) -> int:
    from webdyno.cli import context
    from webdyno.report.live import PlainView, view_for
    from webdyno.run.loop import run_study
    from webdyno.run.narrow import narrowed
    from webdyno.run.resume import to_resume

    for path in (json, html):
        check_writable(path)
    catalog = context.catalog()
    study = narrowed(
        catalog.study(name),
        budget=None if budget is None else quantity.duration(budget),
        servers=None if servers is None else names(servers, "--servers"),
        scenarios=None if scenarios is None else names(scenarios, "--scenarios"),
        blocks=blocks,
        method=method,
        record=jtl,
        build_times=build_times,
        duration=None if duration is None else quantity.duration(duration),
    )
    for reference in study.servers:
        catalog.contender(reference)
    store = context.open_store()
    earlier = to_resume(store, study, resume) if resume else None
    view = PlainView() if plain else view_for()
    with contextlib.closing(store), view:
        record = run_study(
            study, catalog, context.home(), store, listener=view.event, resume=earlier
        )
    return _finish(record, json, html)


def names(text: str, option: str) -> list[str]:
    """What `text` lists, separated by commas. Raises `UserError` where that is nothing."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise UserError(f"{option} is empty; name at least one, separated by commas")
    return found


def check_writable(path: Path | None) -> None:
    """Refuse now what would fail only after minutes of measuring."""
    if path is None:
        return
    if path.is_dir():
        raise UserError(f"{path} is a folder; name a file")
    if not path.absolute().parent.is_dir():
        raise UserError(f"{path}: its folder does not exist; make it first")


def _finish(record: RunRecord, json: Path | None, html: Path | None) -> int:
    from webdyno.report.html import render_html
    from webdyno.report.json_export import dumps
    from webdyno.report.terminal import show

    report = Path(record.folder) / "report.html"
    page = render_html(record)
    for path in (report, html):
        if path is not None:
            path.write_text(page, encoding="utf-8")
    for path in (Path(record.folder) / "run.json", json):
        if path is not None:
            path.write_text(dumps(record), encoding="utf-8")
    show(record, report=str(html or report))
    if record.status == "interrupted":
        return 130
    return 0 if any(trial.status == "ok" for trial in record.trials) else 1
