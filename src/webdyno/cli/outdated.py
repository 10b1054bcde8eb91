"""`webdyno outdated`: what servers are built from, where it is behind, and how to catch up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.failures import program
from webdyno.cli.option_values import budget_s
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webdyno.outdated.former_server import FormerServer
    from webdyno.outdated.survey import RegistryAnswer
    from webdyno.outdated.update import Updated


def outdated(
    servers: Annotated[
        list[str] | None, typer.Argument(help="language/name (default: all, and the runtimes).")
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Update these servers to the newest releases.")
    ] = False,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar="SCENARIO",
            help="With --update: then compare the server with its old version in this scenario.",
        ),
    ] = None,
    budget: Annotated[str, typer.Option(help="Time for --measure.")] = "2m",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List outdated frameworks and runtimes, or update a server.

    Asks each ecosystem's own client (npm, go, cargo, mvn, pip, composer, hex). Servers of other
    ecosystems, such as those in Ruby, Swift, C++ and C#, are named with the reason.
    """
    names = servers or []
    if update and not names:
        raise UserError("--update: no servers; name those to update")
    if measure is not None and (not update or len(names) != 1):
        raise UserError(
            "--measure compares one updated server with itself; give --update and exactly one "
            "server"
        )
    if update and json:
        raise UserError("--json and --update cannot be combined; leave one out")
    seconds = budget_s(budget)
    code = supervised(
        lambda: _update(names, measure, seconds) if update else _list(names, json),
        Home.default().temporary,
    )
    raise typer.Exit(code)


def _list(names: list[str], json: bool) -> int:
    from webdyno.cli import context
    from webdyno.outdated.survey import not_asked, subjects_of, survey
    from webdyno.store.document import printed

    subjects = subjects_of(context.catalog(), names)
    left_out = not_asked(subjects)
    names_left = {name for those in left_out.values() for name in those}
    asked = [one for one in subjects if one.name not in names_left]
    answered = 0

    def show_answer(name: str) -> None:
        nonlocal answered
        answered += 1
        # Beside the table, which is what a pipe is for.
        typer.echo(f"asked for {name} ({answered} of {len(asked)})", err=True)

    answers = survey(asked, show_answer)
    if json:
        typer.echo(printed(answers))
        if left_out:  # Of whom the list says nothing.
            typer.echo(_not_checked(left_out), err=True)
    else:
        _show(answers, left_out)
    return 1 if any(one.packages or one.unanswered for one in answers) else 0


def _show(answers: list[RegistryAnswer], left_out: Mapping[str, Sequence[str]]) -> None:
    from rich.console import Console

    from webdyno.report.layout import Column, say, table

    console = Console()
    rows = [
        [answer.subject, one.name, one.locked or "none", one.within, one.newest]
        for answer in answers
        for one in answer.packages
    ]
    titles = ("server", "package", "locked", "within bounds", "newest")
    if rows:
        columns = [Column(title, names=title in titles[:2]) for title in titles]
        console.print(table(columns, rows, console.width))
    for answer in answers:
        for reason in answer.unanswered:
            say(console, f"{answer.subject}: unknown: {reason}")
    if left_out:
        say(console, _not_checked(left_out))
    if not rows and any(not answer.unanswered for answer in answers):
        unknown = bool(left_out) or any(answer.unanswered for answer in answers)
        say(console, f"everything {'else ' if unknown else ''}is up to date")


def _not_checked(left_out: Mapping[str, Sequence[str]]) -> str:
    """In one line, which servers were not checked, and why."""
    told = (f"{', '.join(names)} ({reason})" for reason, names in left_out.items())
    return f"not checked: {'; '.join(told)}"


def _update(names: list[str], measure: str | None, budget_s: float) -> int:
    from webdyno.cli import context
    from webdyno.outdated.ecosystem import RegistryUnanswered
    from webdyno.outdated.former_server import FormerServer
    from webdyno.outdated.registry import ecosystems_of
    from webdyno.outdated.update import update
    from webdyno.runtime.processes.private_folder import private_folder

    temporary = context.home().temporary
    catalog = context.catalog()
    if measure is not None:
        scenario = catalog.scenario(measure).id
        if scenario not in catalog.server(names[0]).manifest.scenarios:
            raise UserError(f"{names[0]} does not implement {scenario}; name one that it does")
    # All of them first: what cannot be updated must not be found when others have been.
    servers = [catalog.server(name) for name in names]
    if strange := [server.id for server in servers if not ecosystems_of(server.folder)]:
        raise UserError(f"{', '.join(strange)}: no client is known; update the files by hand")
    for server in servers:
        name = server.id
        former = FormerServer.of(server, private_folder(temporary) / "former") if measure else None
        try:
            done = update(server)
        except RegistryUnanswered as error:
            raise UserError(f"{name}: not updated: {error}") from None
        _tell(name, done)
        if former is not None and measure is not None and done.packages:
            return _measured(former, measure, budget_s)
    return 0


def _measured(former: FormerServer, scenario: str, budget_s: float) -> int:
    from webdyno.cli import context
    from webdyno.cli.finish_run import finish
    from webdyno.report.live.views import view_for

    with view_for() as view:
        run = former.measured(scenario, budget_s, context.home(), context.open_store(), view.event)
    return finish(run, None, None)


def _tell(name: str, updated: Updated) -> None:
    if not updated.packages and not updated.left:
        typer.echo(f"{name}: already up to date")
        return
    for one in updated.packages:
        typer.echo(f"{name}: {one.name} {one.locked} → {one.newest}")
    for one in updated.left:
        why = updated.reasons.get(one.name)
        note = f"for {one.newest}, {why}" if why else f"{one.newest} needs an edit by hand"
        typer.echo(f"{name}: {one.name} stays at {one.locked}; {note}")
    for path in updated.files:
        typer.echo(f"wrote {path}")
    for line in updated.still_named:
        typer.echo(f"server.toml still names it, {line}")
    if updated.files:
        typer.echo(f"next: {program()} verify {name}")
