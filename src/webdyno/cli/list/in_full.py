"""One scenario or one server in full: its contract, or what its manifest states."""

from __future__ import annotations

import shlex

import typer

from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.terms.parts import TITLES
from webdyno.cli.list.documents import ScenarioDocument, ServerDocument
from webdyno.cli.prose import columns, reflowed
from webdyno.run.preparation.servers import needed_toolchain
from webdyno.store.document import printed


def show_scenario(name: str, json: bool, catalog: Catalog) -> None:
    """Print the scenario `name`."""
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
    show([f"{manifest.name}: {manifest.title}"], [manifest.description], facts, points)


def show_server(reference: str, json: bool, catalog: Catalog) -> None:
    """Print the server `language/name[@variant]`. Raises `UserError` where there is none."""
    chosen = catalog.server_variant(reference)
    shown = _server(chosen)
    if json:
        typer.echo(printed(shown))
        return
    facts = {
        "Homepage": shown.homepage,
        "Licence": shown.licence,
        "Cannot be built": shown.unavailable,
        "Scenarios": ", ".join(shown.scenarios),
        "Needs": ", ".join(shown.toolchain),
        "Build": "; ".join(map(shlex.join, shown.build)),
        "Command": shlex.join(shown.command),
        "Environment": " ".join(f"{name}={value}" for name, value in shown.environment.items()),
        "Concurrency": shown.model,
        "Processes": shown.processes,
        "Threads": shown.threads,
        "Pool": shown.pool,
        **{TITLES[kind]: what for kind, what in shown.parts.items()},
        "Folder": shown.folder,
    }
    others = [f"- {name}: {what}" for name, what in shown.variants.items()]
    show(
        [f"{shown.server}: {chosen.server.framework_label}"],
        [shown.description] if shown.description else [],
        [shown.notes] if shown.notes else [],
        [f"{name}: {value}" for name, value in facts.items() if value],
        ["Other variants:", *others] if others else [],
    )


def _server(chosen: ServerVariant) -> ServerDocument:
    server, variant = chosen.server, chosen.variant
    manifest, run = server.manifest, server.run_of(variant)
    stated = server.concurrency_of(variant)
    described = {name: one.description for name, one in manifest.variants.items()}
    runtimes = {name: f"on the runtime {name}" for name in server.language.runtimes}
    every = {**described, **runtimes}
    return ServerDocument(
        server=chosen.label,
        description=every.get(variant, ""),
        framework=manifest.framework,
        framework_version=manifest.framework_version,
        homepage=manifest.homepage,
        licence=manifest.licence,
        notes=manifest.notes,
        unavailable=manifest.reason if manifest.status == "unbuildable" else "",
        scenarios=list(manifest.scenarios),
        toolchain=needed_toolchain(server),
        build=[list(one) for one in manifest.build.commands],
        command=list(run.command),
        environment=dict(run.env),
        model=stated.model or stated.kind or "",
        processes=stated.processes,
        threads=stated.threads,
        pool=stated.pool,
        parts=server.parts_of(variant),
        variants={f"{server.id}@{name}": what for name, what in every.items() if name != variant},
        folder=str(server.folder),
    )


def show(*parts: list[str]) -> None:
    """Print paragraphs, each of lines that are wrapped to the terminal."""
    width = columns()
    texts = ["\n".join(reflowed(line, width) for line in part) for part in parts if part]
    typer.echo("\n\n".join(texts))
