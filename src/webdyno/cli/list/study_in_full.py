"""One study in full: what it asks of which servers, and how."""

from __future__ import annotations

from json import dumps as json_of

import typer

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.cli.list.documents import StudyDocument, StudyLoad, StudyScenario
from webdyno.cli.list.in_full import show
from webdyno.report.numbers import counted
from webdyno.report.text.loads import figures_of, planned
from webdyno.store.document import printed
from webdyno.store.stored_study import StoredStudy
from webdyno.words import duration


def show_study(name: str, json: bool, catalog: Catalog) -> None:
    """Print the study `name`, or the one in that file. Raises `UserError` where it is wrong."""
    shown = _study(catalog.study(name), str(catalog.study_file(name)))
    if json:
        typer.echo(printed(shown))
        return
    every = " (and their variants that use all cores)" if shown.all_cores else ""
    facts = {
        "Servers": ", ".join(shown.servers) + every,
        "Control (entered twice)": shown.control,
        "Ranked by": ", ".join(shown.metrics),
        "Budget": f"{duration(shown.budget_s)}, for {_blocks(shown)}",
        "Method": shown.method,
        "Source": shown.source,
        "File": shown.file,
    }
    show(
        [f"{shown.study}: {shown.title}"],
        [shown.question],
        [f"{name}: {value}" for name, value in facts.items() if value],
        ["Scenarios:", *(f"- {_scenario(one, shown)}" for one in shown.scenarios)],
        ["Loads:", *(f"- {_load(one, shown.method)}" for one in shown.loads)],
    )


def _study(study: StudyManifest, file: str) -> StudyDocument:
    every = [load.label() for load in study.loads]
    asked = StoredStudy.of(study)
    return StudyDocument(
        study=study.name,
        title=study.title,
        question=study.question,
        servers=study.servers,
        all_cores=study.all_cores,
        control=study.control,
        scenarios=[
            StudyScenario(
                scenario=entry.name,
                label=entry.title,
                parameters=entry.parameters,
                loads=entry.loads or every,
            )
            for entry in study.entries()
        ],
        loads=[
            StudyLoad(load=load.label(), kind=load.kind, method=load.method, what=planned(load))
            for load in asked.loads
        ],
        method=study.method,
        metrics=[str(metric) for metric in study.metrics],
        budget_s=study.budget,
        blocks_min=study.blocks.min,
        blocks_max=study.blocks.max,
        source=study.source,
        file=file,
    )


def _blocks(shown: StudyDocument) -> str:
    least, most = shown.blocks_min, shown.blocks_max
    return counted(most, "block") if least == most else f"{least} to {most:,} blocks"


def _scenario(one: StudyScenario, shown: StudyDocument) -> str:
    """Its name, and in what it differs from the others."""
    values = ", ".join(f"{key} = {json_of(value)}" for key, value in one.parameters.items())
    named = one.label if one.label == one.scenario else f"{one.label}: {one.scenario}"
    under = "" if len(one.loads) == len(shown.loads) else f", under {', '.join(one.loads)}"
    return named + (f" ({values})" if values else "") + under


def _load(one: StudyLoad, method: str) -> str:
    kind = f"{one.kind} load, " if one.kind in ("closed", "open") else ""
    published = ""
    if one.method == "as-published":
        published = ", as published"
        published += " (only with --method as-published or both)" if method == "sound" else ""
    return f"{one.load}: {kind}{figures_of(one.what)}{published}"
