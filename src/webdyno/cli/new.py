"""`webdyno new`: a working starting point for a server, a scenario or a study of your own."""

from __future__ import annotations

import os
import re
import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from webdyno.cli.failures import program
from webdyno.errors import UserError

TEMPLATES = Path(__file__).parent / "scaffold"


class Kind(StrEnum):
    """What can be started."""

    server = "server"
    scenario = "scenario"
    study = "study"


def new(
    kind: Annotated[Kind, typer.Argument(help="server, scenario or study.")],
    name: Annotated[str, typer.Argument(help="LANGUAGE/NAME for a server, else NAME.")],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SERVER",
            help="For a server: start from a copy of this one, with all its scenarios.",
        ),
    ] = None,
) -> None:
    """Create a server, scenario or study of your own, in this folder or in --content DIR."""
    content = Path(os.environ.get("WEBDYNO_CONTENT") or ".")
    if source is None:
        written, steps = _MAKERS[kind](content, name)
    elif kind is Kind.server:
        written, steps = new_server_from(content, name, source)
    else:
        raise UserError(f"--from copies a server; leave it out for `new {kind}`")
    for path in written:
        typer.echo(f"wrote {path}")
    typer.echo("\nNext:")
    for number, step in enumerate(steps, 1):
        typer.echo(f"  {number}. {step}")


class Scaffold(NamedTuple):
    """Files that were written, and what their author does next, a line each."""

    written: list[Path]
    steps: list[str]


def new_server(content: Path, name: str) -> Scaffold:
    """Write a server that implements `hello`. Raises `UserError`."""
    language, own = _server_name(name)
    known = languages()
    if language not in known:
        copied = _example(language)
        raise UserError(
            f"no template for '{language}'; choose from {', '.join(known)}, or "
            + (f"copy a server: --from {copied}" if copied else f"write servers/{name} yourself")
            + " (see docs/add-a-server.md)"
        )
    folder = content / "servers" / language / _checked(own)
    written = _copy(TEMPLATES / "server" / language, folder, own)
    return Scaffold(
        written,
        [
            f"{_called()} verify {name}    verifies it in the scenario `hello`",
            "write your framework's server in its place; docs/add-a-server.md says what it must do",
            "add the scenarios that it implements to its server.toml, and verify again",
            f"{_called()} run hello --servers {name},go/net-http --budget 2m    compares it",
        ],
    )


def new_server_from(content: Path, name: str, source: str) -> Scaffold:
    """Write a copy of the server `source`, called `name`. Raises `UserError`."""
    from webdyno.catalog.catalog import Catalog
    from webdyno.runtime.builds.server_copy import copy_server

    language, own = _server_name(name)
    server = Catalog().server(source)
    if server.manifest.language != language:
        raise UserError(
            f"{source} is written in {server.manifest.language}; call the copy "
            f"{server.manifest.language}/{own}"
        )
    folder = content / "servers" / language / _checked(own)
    _refuse_existing(folder)
    written = copy_server(server, folder)
    scenarios = server.manifest.scenarios
    return Scaffold(
        written,
        [
            f"{_called()} verify {name}    verifies it in the scenarios of {source}: "
            f"{', '.join(scenarios)}",
            "change its framework, licence, scenarios, notes, concurrency, parts and variants in "
            f"{folder / 'server.toml'}, and its code, and remove the files of scenarios that it "
            "will not have; docs/add-a-server.md says what it must do",
            f"{_called()} run {scenarios[0]} --servers {name},{source}    compares the two",
        ],
    )


def new_scenario(content: Path, name: str) -> Scaffold:
    """Write a scenario whose verifier works. Raises `UserError`."""
    folder = content / "scenarios" / _checked_to_run(name)
    written = _copy(TEMPLATES / "scenario", folder, name)
    return Scaffold(
        written,
        [
            f"make it yours: scenario.toml in {folder} is the load, verifier.py the proof; "
            "docs/add-a-scenario.md says how",
            f"implement it in a server and add '{name}' to `scenarios` in its server.toml",
            f"{_called()} verify --scenario {name}    verifies the servers that implement it",
        ],
    )


def new_study(content: Path, name: str) -> Scaffold:
    """Write a study of two servers. Raises `UserError`."""
    path = content / "studies" / f"{_checked_to_run(name)}.toml"
    _refuse_existing(path)
    _write(TEMPLATES / "study" / "study.toml", path, name)
    return Scaffold(
        [path],
        [
            f"put your question, servers, scenarios and loads into {path}",
            f"{_called()} run {name}    answers it",
        ],
    )


def languages() -> list[str]:
    """Those that have a server template."""
    return sorted(path.name for path in (TEMPLATES / "server").iterdir() if path.is_dir())


_MAKERS = {Kind.server: new_server, Kind.scenario: new_scenario, Kind.study: new_study}


def _server_name(name: str) -> tuple[str, str]:
    language, _, own = name.partition("/")
    if not own:
        raise UserError(f"'{name}' has no language; write LANGUAGE/NAME, such as node/{name}")
    return language, own


def _example(language: str) -> str:
    """A server of `language` that can be built; empty where there is none."""
    from webdyno.catalog.catalog import Catalog

    known = [one for one in Catalog().servers() if one.manifest.status == "ok"]
    return next((one.id for one in known if one.manifest.language == language), "")


def _checked(name: str) -> str:
    from webdyno.catalog.terms.form import LONGEST_NAME, NAME

    if not re.fullmatch(NAME, name):
        raise UserError(
            f"'{name}' is not a valid name; use lower-case letters, digits, '.', '_' or '-', and "
            "start with a letter or a digit"
        )
    if len(name) > LONGEST_NAME:
        raise UserError(f"name '{name[:20]}…' is too long; use at most {LONGEST_NAME} characters")
    return name


def _checked_to_run(name: str) -> str:
    """A name that `run` takes for what it is."""
    if name.endswith(".toml"):
        raise UserError(f"name '{name}' would be taken for a file; leave '.toml' out")
    if name == "board":
        raise UserError("'board' is reserved for `run board`; choose another name")
    return _checked(name)


def _called() -> str:
    """The program, with the folder that this content is in, where it does not look by itself."""
    content = os.environ.get("WEBDYNO_CONTENT")
    return f"{program()} --content {shlex.quote(content)}" if content else program()


def _copy(template: Path, folder: Path, name: str) -> list[Path]:
    _refuse_existing(folder)
    written = []
    for source in sorted(path for path in template.rglob("*") if path.is_file()):
        if "__pycache__" not in source.parts:
            target = folder / source.relative_to(template)
            _write(source, target, name)
            written.append(target)
    return written


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise UserError(f"{path} already exists; choose another name, or remove it first")


def _write(template: Path, target: Path, name: str) -> None:
    text = template.read_text(encoding="utf-8").replace("@NAME@", name)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{target}: cannot be written ({error.strerror}); make its folder writable"
        ) from None
