"""`webdyno list`: the servers, scenarios and studies of the catalog, and the runs of the store; or
one scenario, server or study in full.
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
)
from webdyno.cli.list.in_full import show_scenario, show_server
from webdyno.cli.list.study_in_full import show_study
from webdyno.cli.unfinished import state_of
from webdyno.errors import UserError
from webdyno.plugins import alternatives
from webdyno.store.document import printed
from webdyno.store.record import Record


def list_(
    what: Annotated[
        str,
        typer.Argument(
            help="servers, scenarios, studies, all (these three), runs; or a scenario, a server "
            "or a study."
        ),
    ] = "all",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List servers, scenarios, studies and runs, or show a server, scenario or study in full."""
    faults: list[UserError] = []
    _list(what, json, Catalog(on_fault=faults.append))
    for fault in faults:
        say(str(fault))
    if faults:
        raise typer.Exit(USAGE)


def _list(what: str, json: bool, catalog: Catalog) -> None:
    if what != "all" and what not in _KINDS:
        _show(what, json, catalog)
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
        shown = [_shown(row) for row in rows]
        columns = [
            # A run's id may be long, and is found by its first characters.
            Column(
                title,
                right=title in _COUNTED,
                names=title == kind[:-1],
                whole=title == kind[:-1] != "run",
            )
            for title in (shown[0] if shown else ["none"])
        ]
        console.print(table(columns, [list(row.values()) for row in shown], console.width))
        if more := _MORE.get(kind):
            console.print(Text(more, style="dim"))
        console.print()


def _shown(row: Record) -> dict[str, str]:
    """A row by its headings: of many names, how many they are."""
    held = {title: str(value) for title, value in row}
    if isinstance(row, ListedServer):
        held |= {key: str(len(held[key].split())) for key in _COUNTED}
    return held


def _show(name: str, json: bool, catalog: Catalog) -> None:
    """One thing in full, whatever it is."""
    is_study = name.endswith(".toml") or name in catalog.study_names()
    if name in catalog.scenario_names():
        show_scenario(name, json, catalog)
        if is_study and not json:
            typer.echo("\nA study has the same name.\n")
            show_study(name, json, catalog)
    elif is_study:
        show_study(name, json, catalog)
    elif "/" in name:
        show_server(name, json, catalog)
    else:
        named = [one for one in catalog.server_ids() if one.endswith(f"/{name}")]
        choice = f"choose from {', '.join(_KINDS)}, all, or name a scenario, a server or a study"
        meant = f"did you mean {alternatives(named)}?" if named else choice
        raise UserError(f"cannot list '{name}'; {meant}")


def _servers(catalog: Catalog) -> list[ListedServer]:
    return [
        ListedServer(
            server=server.id,
            framework=server.manifest.framework_label,
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


_COUNTED = ("scenarios", "variants")
"""Of a server: the names that are counted for a reader."""

_MORE = {"servers": "`webdyno list SERVER` names a server's scenarios and variants."}
"""What is said below a list."""

_KINDS: dict[str, Callable[[Catalog], Sequence[Record]]] = {
    "servers": _servers,
    "scenarios": _scenarios,
    "studies": _studies,
    "runs": _runs,
}
