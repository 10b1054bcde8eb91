"""`webdyno list`: the servers, scenarios and studies of the catalog, and the runs of the store; or
one scenario in full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from webdyno.catalog.catalog import Catalog
from webdyno.cli import context
from webdyno.cli.failures import USAGE, say
from webdyno.cli.list.documents import (
    ListDocument,
    ListedRun,
    ListedScenario,
    ListedServer,
    ListedStudy,
    ScenarioDocument,
)
from webdyno.cli.prose import columns, reflowed
from webdyno.cli.unfinished import state_of
from webdyno.errors import UserError
from webdyno.store.document import printed
from webdyno.store.record import Record


def list_(
    what: Annotated[
        str,
        typer.Argument(
            help="servers, scenarios, studies, all (these three) or runs; or a scenario's name."
        ),
    ] = "all",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List servers, scenarios, studies and runs, or show a scenario in full.

    Files that are wrong are named on stderr, with exit code 2 once the others are listed.
    """
    faults: list[UserError] = []
    _list(what, json, Catalog(on_fault=faults.append))
    for fault in faults:
        say(str(fault))
    if faults:
        raise typer.Exit(USAGE)


def _list(what: str, json: bool, catalog: Catalog) -> None:
    if what != "all" and what not in _KINDS:
        _show_scenario(what, json, catalog)
        return
    kinds = [kind for kind in _KINDS if kind != "runs"] if what == "all" else [what]
    found = {kind: _KINDS[kind](catalog) for kind in kinds}
    if json:
        typer.echo(printed(ListDocument.model_validate(found)))
        return
    from rich.console import Console
    from rich.text import Text

    from webdyno.report.layout import Column, table

    console = Console()
    for kind, rows in found.items():
        console.print(Text(kind, style="bold"))
        titles = [title for title, _ in rows[0]] if rows else ["none"]
        columns = [Column(title, names=title == kind[:-1]) for title in titles]
        cells = [[str(value) for _, value in row] for row in rows]
        console.print(table(columns, cells, console.width))
        console.print()


def _show_scenario(name: str, json: bool, catalog: Catalog) -> None:
    if name not in catalog.scenario_names():
        kinds = ", ".join(_KINDS)
        raise UserError(f"cannot list '{name}'; choose from {kinds}, all, or name a scenario")
    scenario = catalog.scenario(name)
    manifest = scenario.manifest
    servers = [one.id for one in catalog.servers() if name in one.manifest.scenarios]
    if json:
        typer.echo(printed(ScenarioDocument.of(manifest, servers)))
        return
    asked = ", ".join(
        f"{'WebSocket' if one.websocket else one.method} {one.path}" for one in manifest.requests
    )
    facts = [
        f"Requests of the load: {asked}",
        f"Services: {', '.join(manifest.services) or 'none'}",
        f"Servers: {', '.join(servers) or 'none'}",
        f"Folder: {scenario.folder}",
    ]
    review = "For review of the source, since no check can prove it:"
    points = [review, *(f"- {point}" for point in manifest.review)] if manifest.review else []
    width = columns()
    parts = [[f"{manifest.name}: {manifest.title}"], [manifest.description], facts, points]
    texts = ["\n".join(reflowed(line, width) for line in part) for part in parts if part]
    typer.echo("\n\n".join(texts))


def _servers(catalog: Catalog) -> list[ListedServer]:
    return [
        ListedServer(
            server=server.id,
            framework=f"{server.manifest.framework} {server.manifest.framework_version}",
            scenarios=" ".join(server.manifest.scenarios),
            variants=" ".join(server.variant_names()[1:]),
        )
        for server in catalog.servers()
    ]


def _scenarios(catalog: Catalog) -> list[ListedScenario]:
    return [
        ListedScenario(scenario=scenario.id, what=scenario.manifest.title)
        for scenario in catalog.scenarios()
    ]


def _studies(catalog: Catalog) -> list[ListedStudy]:
    return [ListedStudy(study=study.name, question=study.question) for study in catalog.studies()]


def _runs(_: Catalog) -> list[ListedRun]:
    store = context.reading_store()
    return [
        ListedRun(
            run=run.id,
            study=run.study,
            started=f"{run.started:%Y-%m-%d %H:%M}",
            status=state_of(run.id, run.status, store),
            trials=run.trials,
        )
        for run in store.listed()
    ]


_KINDS: dict[str, Callable[[Catalog], Sequence[Record]]] = {
    "servers": _servers,
    "scenarios": _scenarios,
    "studies": _studies,
    "runs": _runs,
}
