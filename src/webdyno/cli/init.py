"""`webdyno init`: describe the service in this folder, for `webdyno ab`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from webdyno.errors import UserError


def init(
    folder: Annotated[Path, typer.Argument(help="The folder of the service.")] = Path(),
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Replace webdyno.toml; write one even if nothing was recognised."
        ),
    ] = False,
) -> None:
    """Write webdyno.toml: how to build, run and load the service in this folder.

    Reads package.json, requirements.txt, pyproject.toml, setup.py, Pipfile, environment.yml,
    go.mod, Cargo.toml, pom.xml, Gradle's files, composer.json, Gemfile, Package.swift, mix.exs,
    deno.json, or a .sln or .csproj.
    """
    from webdyno.ab.recognise import known_variables, recognise
    from webdyno.ab.recognise.recognised import MOST_NAMED
    from webdyno.ab.recognise.services_below import services_below
    from webdyno.ab.recognise.settings.variables import ignored_file
    from webdyno.ab.recognise.template import description_text, rows_of
    from webdyno.catalog.descriptions.description import FILE, slug
    from webdyno.cli.failures import program
    from webdyno.cli.output import write
    from webdyno.report.numbers import first_of

    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; create it, or name another")
    path = folder / FILE
    if path.exists() and not force:
        raise UserError(f"{path} exists already; --force replaces it")
    service = recognise(folder)
    if service is None and not force and (below := services_below(folder, recognise)):
        raise UserError(
            f"no manifest in {folder.resolve()}, but in {first_of(below, MOST_NAMED)}; describe "
            f"the service there (`{program()} init {folder / below[0]}`), or --force writes "
            f"{FILE} here"
        )
    left = ""
    if service is not None:
        # A member of a workspace may have a file of its own.
        places = (folder / service.package, folder)
        files = (ignored_file(one, known_variables(service)) for one in places)
        left = next(filter(None, files), "")
    if service is not None and left:
        name = left.partition(" ")[0]
        # A start script may name the file itself, which is told by then; its sample is told less.
        if not any(line.startswith(f"{name} ") for line in service.to_do):
            also = [line for line in service.other_to_do if " without a value in " not in line]
            service = replace(service, other_to_do=(*also, left))
    write(path, description_text(slug(folder.resolve().name) or "service", service))
    typer.echo(f"wrote {path}" + (f", from {service.manifest}" if service else ""))
    typer.echo("\nNext:")
    steps = [] if service else ["set `language`, `build` and `run`: how to build and start it"]
    steps += service.to_do if service else ()
    if service and (rows := rows_of(service)):
        steps.append(rows)
    if service and service.services and not service.uses_database:
        databases = " or ".join(service.services)
        steps.append(f"set `services`, with SQL files of the contents, if you use {databases}")
    steps += [
        "set `requests`: the requests to send",
        *([f"go to its folder: cd {folder}"] if folder.resolve() != Path.cwd() else []),
        _to_compare(folder, program()),
    ]
    for number, step in enumerate(steps, 1):
        typer.echo(f"  {number}. {step}")


def _to_compare(folder: Path, program: str) -> str:
    """The command that compares two versions of the service; where its main branch is at HEAD, the
    last commit beside the working copy; where there is no commit, two folders."""
    from webdyno.ab.git.checkout import find_commit, is_working_copy, likely_base

    base = likely_base(folder)
    try:
        first, second = find_commit(folder, base), find_commit(folder, "HEAD")
    except UserError:  # As `ab` will tell.
        first, second, without = None, None, False
    else:
        without = second is None
    if without and not is_working_copy(folder):
        return f"{program} ab . OTHER    compares this folder with another copy of it, in OTHER"
    if without:
        return f"commit, then: {program} ab HEAD    compares the last commit with your working copy"
    if first and first == second:
        return (
            f"{program} ab HEAD    compares the last commit with your working copy; for two "
            "commits, name both"
        )
    return (
        f"{program} ab {base} HEAD    compares two commits, `ab {base}` one with your working copy"
    )
