"""`webdyno check`: the servers and scenarios that a branch touches, built, proven and measured."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.option_values import budget_s as read_budget
from webdyno.cli.option_values import margin_of
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

if TYPE_CHECKING:
    from webdyno.trial.events import Listener

CONFIDENCE = 0.95


def check(
    since: Annotated[
        str,
        typer.Option(help="Commit, branch or tag to compare with, such as main (required)."),
    ] = "",
    budget: Annotated[
        str | None,
        typer.Option(help="Total time for measuring (default: 1m per server and scenario)."),
    ] = None,
    margin: Annotated[
        str, typer.Option(help="Differences below this do not matter, such as 5%.")
    ] = "3%",
    markdown: Annotated[
        Path | None, typer.Option(help="Write the result as Markdown, for a pull request.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write it as JSON.")] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Print lines instead of a live view.")
    ] = False,
) -> None:
    """For pull requests: build, verify and briefly measure the servers that a change touches.

    Checks only servers and scenarios whose files differ from --since, in the repository of this
    folder or of --content DIR.
    """
    if not since:
        raise UserError("check needs --since; give a commit, branch or tag, such as --since main")
    share = margin_of(margin)
    seconds = None if budget is None else read_budget(budget)
    raise typer.Exit(
        supervised(
            lambda: _check(since, seconds, share, markdown, json, plain), Home.default().temporary
        )
    )


def _check(
    since: str,
    budget_s: float | None,
    margin: float,
    markdown: Path | None,
    json: Path | None,
    plain: bool,
) -> int:
    import contextlib

    from webdyno.check import show as formats
    from webdyno.check.changes import changes_since
    from webdyno.check.check_servers import CheckSettings, check_servers, variants_to_check
    from webdyno.cli import context
    from webdyno.cli.failures import INTERRUPTED
    from webdyno.cli.output import check_writable, remove_former, write_and_show
    from webdyno.cli.verify import show_finding, show_step
    from webdyno.report.live.views import view_for
    from webdyno.run.comparison.outcome import EXIT_CODES
    from webdyno.runtime.processes.private_folder import private_folder

    check_writable(markdown, json)
    remove_former(markdown, json)
    home = context.home()
    changes = changes_since(Path(os.environ.get("WEBDYNO_CONTENT") or "."), since)
    given = CheckSettings(
        context.catalog(), home, private_folder(home.temporary), budget_s, CONFIDENCE, margin
    )
    found = variants_to_check(changes, given)
    with contextlib.ExitStack() as held:

        def listener() -> Listener:
            # One a run: each shows how far that one is.
            held.pop_all().close()
            view = view_for(plain=plain)
            held.enter_context(view)
            return view.event

        checked = check_servers(
            changes, found, given, context.open_store, show_finding, show_step, listener
        )
    files = [
        (markdown, lambda: formats.markdown(checked)),
        (json, lambda: formats.dumps(checked)),
    ]
    write_and_show(files, lambda: formats.show(checked))
    return INTERRUPTED if checked.interrupted else EXIT_CODES[checked.outcome]
