"""`webdyno list`: the servers, scenarios and studies of the catalog, and the runs of the store; or
one scenario in full.
"""

from __future__ import annotations

import json as jsonlib
from collections.abc import Callable
from typing import Annotated, Any

import typer

from webdyno.catalog.catalog import Catalog
from webdyno.cli import context
from webdyno.cli.failures import USAGE, say
from webdyno.cli.prose import columns, reflowed
from webdyno.cli.unfinished import state_of
from webdyno.errors import UserError

Row = dict[str, Any]


def list_(
    what: Annotated[
        str,
        typer.Argument(
            help="servers, scenarios, studies, all of these (all), or runs; or a scenario."
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
        typer.echo(jsonlib.dumps(found, indent=2))
        return
    from rich.console import Console
    from rich.text import Text

    from webdyno.report.layout import Column, table

    console = Console()
    for kind, rows in found.items():
        console.print(Text(kind, style="bold"))
        columns = [Column(title, names=title == kind[:-1]) for title in (rows or [{"none": ""}])[0]]
        cells = [[str(value) for value in row.values()] for row in rows]
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
        shown = {**manifest.model_dump(mode="json"), "servers": servers}
        typer.echo(jsonlib.dumps(shown, indent=2))
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


def _servers(catalog: Catalog) -> list[Row]:
    return [
        {
            "server": server.id,
            "framework": f"{server.manifest.framework} {server.manifest.framework_version}",
            "scenarios": " ".join(server.manifest.scenarios),
            "variants": " ".join(server.variant_names()[1:]),
        }
        for server in catalog.servers()
    ]


def _scenarios(catalog: Catalog) -> list[Row]:
    return [
        {"scenario": scenario.id, "what": scenario.manifest.title}
        for scenario in catalog.scenarios()
    ]


def _studies(catalog: Catalog) -> list[Row]:
    return [{"study": study.name, "question": study.question} for study in catalog.studies()]


def _runs(_: Catalog) -> list[Row]:
    store = context.reading_store()
    return [
        {
            "run": run.id,
            "study": run.study,
            "started": f"{run.started:%Y-%m-%d %H:%M}",
            "status": state_of(run.id, run.status, store),
            "trials": run.trials,
        }
        for run in store.listed()
    ]


_KINDS: dict[str, Callable[[Catalog], list[Row]]] = {
    "servers": _servers,
    "scenarios": _scenarios,
    "studies": _studies,
    "runs": _runs,
}
