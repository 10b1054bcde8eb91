"""`webdyno ab`: do two versions of one's own service differ, by how much, how sure is that?"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.option_values import budget_s, margin_of, start_timeout_s
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

if TYPE_CHECKING:
    from webdyno.ab.compare import ComparisonResult
    from webdyno.ab.request.pair_request import PairRequest
    from webdyno.ab.study.pairing import Pairing
    from webdyno.store.records import RunRecord
    from webdyno.trial.events import Listener

Strings = list[str] | None


@dataclass(frozen=True)
class AbFiles:
    """What is to be written where; None stands for an option that was not given."""

    markdown: Path | None = None
    junit: Path | None = None
    json: Path | None = None
    html: Path | None = None
    """The run's whole report."""

    @property
    def all(self) -> tuple[Path | None, ...]:
        """Each of them."""
        return (self.markdown, self.junit, self.json, self.html)


def ab(
    versions: Annotated[
        Strings,
        typer.Argument(help="Two commits, branches or folders; one is compared with this folder."),
    ] = None,
    command: Annotated[
        Strings, typer.Option(help="Command that starts the service; twice, to compare two.")
    ] = None,
    package: Annotated[
        Strings,
        typer.Option(
            "--with", help="Twice: two versions of a dependency, as name@version (npm, pip)."
        ),
    ] = None,
    runtime: Annotated[Strings, typer.Option(help="Twice: two runtimes, such as node@24.")] = None,
    url: Annotated[Strings, typer.Option(help="Twice: the URLs of two running services.")] = None,
    request: Annotated[
        Strings,
        typer.Option(
            "-r",
            "--request",
            help="A request, such as 'GET /items' or '3 GET /items' (3 is its weight); repeatable.",
        ),
    ] = None,
    header: Annotated[
        Strings, typer.Option("-H", "--header", help="'Name: value'; repeatable.")
    ] = None,
    status: Annotated[
        int | None, typer.Option(help="The correct status (default: any 2xx).", min=100, max=599)
    ] = None,
    build: Annotated[Strings, typer.Option(help="A build command; repeatable.")] = None,
    no_build: Annotated[
        bool, typer.Option("--no-build", help="Use the folder as it is, built files included.")
    ] = False,
    env: Annotated[
        Strings, typer.Option(help="An environment variable of the service; repeatable.")
    ] = None,
    service: Annotated[
        Strings,
        typer.Option(
            help="A fresh database for each start, as postgresql=schema.sql,rows.sql or "
            "mariadb=…; repeatable."
        ),
    ] = None,
    ready: Annotated[
        str | None,
        typer.Option(
            help="Path to request until the service answers (default: the first request)."
        ),
    ] = None,
    start_timeout: Annotated[
        str | None,
        typer.Option(
            help="Time to its first answer, such as 5m, three times as long while it uses the CPU "
            "(default: 60s)."
        ),
    ] = None,
    port_variable: Annotated[
        str | None, typer.Option(help="Environment variable for its port (default: PORT).")
    ] = None,
    writes: Annotated[
        bool,
        typer.Option(
            "--writes", help="The service writes to its folder: start it in a fresh copy."
        ),
    ] = False,
    connections: Annotated[
        int | None,
        typer.Option(
            "-c",
            "--connections",
            help="Connections of the full load (default: 16 per CPU, at least 32).",
            min=1,
        ),
    ] = None,
    rate: Annotated[
        str | None,
        typer.Option(
            help="Rate of the steady load, such as 200/s (default: half of what the slower version "
            "can handle)."
        ),
    ] = None,
    load: Annotated[
        str | None,
        typer.Option(
            help="Loads, comma-separated: full, steady, alone (default: full,steady; with several "
            "requests, also alone if --budget is 10m or more, or with --url)."
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(help="Total time, builds included, such as 10m (default: 5m)."),
    ] = None,
    margin: Annotated[
        str | None,
        typer.Option(help="Differences below this do not matter (default: 3%)."),
    ] = None,
    same_answers: Annotated[
        bool, typer.Option("--same-answers", help="Call B worse if its answers differ from A's.")
    ] = False,
    ignore: Annotated[
        Strings,
        typer.Option(
            help="What may differ: header:NAME, json:PATH, pattern:REGEX; repeatable.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("-f", "--file", help="Description of the service (default: webdyno.toml)."),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the answer as Markdown, for a pull request.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="Write it as JUnit XML.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write it, with all figures, as JSON.")] = None,
    html: Annotated[
        Path | None, typer.Option(help="Also write the report to this file; not with --url.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Print lines instead of a live view.")
    ] = False,
) -> None:
    """Compare two versions of a service, described by `webdyno init` or by options.

    \b
    webdyno ab main HEAD -r 'GET /items'      two commits
    webdyno ab main                           a commit and the working copy
    webdyno ab --command 'node a.js' --command 'node b.js' -r 'GET /'
    """
    from webdyno.ab.flags import Flags
    from webdyno.ab.request.pair_request import PairRequest

    if no_build and build:
        raise UserError("--build and --no-build cannot be combined; leave one out")
    flags = Flags(
        requests=request or (),
        headers=header or (),
        build=build or (),
        no_build=no_build,
        env=env or (),
        ready=ready,
        start_timeout_s=None if start_timeout is None else start_timeout_s(start_timeout),
        port_variable=port_variable,
        writes=writes,
        same_answers=same_answers,
        status=status,
        ignore=ignore or (),
        services=service or (),
        connections=connections,
        rate=rate,
        loads=() if load is None else [name.strip() for name in load.split(",")],
        budget_s=None if budget is None else budget_s(budget),
        margin=None if margin is None else margin_of(margin),
    )
    pair_request = PairRequest(
        cwd=Path.cwd(),
        places=versions or (),
        commands=command or (),
        packages=package or (),
        runtimes=runtime or (),
        urls=url or (),
        file=file,
        flags=flags,
    )
    # Before what takes long to load.
    pair_request.check()
    if url and html:
        raise UserError(
            "--html is for versions that ab builds and starts; leave out --html or --url"
        )
    files = AbFiles(markdown, junit, json, html)
    # Forked before anything heavy is imported: threads and fork do not go together.
    raise typer.Exit(supervised(lambda: _ab(pair_request, files, plain), Home.default().temporary))


def _ab(request: PairRequest, files: AbFiles, plain: bool) -> int:
    from webdyno.ab.compare import compare, compare_running
    from webdyno.cli import context
    from webdyno.cli.output import check_writable, remove_former
    from webdyno.report.live.views import view_for

    check_writable(*files.all)
    remove_former(*files.all)
    with view_for(plain=plain or bool(request.urls)) as view:
        if request.urls:
            result = compare_running(request, context.home(), view.event)
        else:
            with contextlib.closing(context.open_store()) as store:
                announce = partial(_announce, view.event)
                result = compare(request, context.home(), store, view.event, announce)
    return _finish(result, files)


def _announce(listener: Listener, pair: Pairing) -> None:
    """By the view, whose picture other output would tear."""
    from webdyno.trial.events import Noted

    for version in pair.versions:
        caution = f": {version.caution}" if version.caution else ""
        listener(Noted(text=f"{version.letter.upper()}: {version.name}{caution}"))
    for caution in filter(None, (*pair.cautions, pair.short)):
        listener(Noted(text=caution))


def _finish(result: ComparisonResult, files: AbFiles) -> int:
    """Write and show what came of it: what takes longest, last."""
    from webdyno.ab.conclusion import formats
    from webdyno.ab.conclusion.show import show
    from webdyno.cli.failures import INTERRUPTED
    from webdyno.cli.output import write_and_show

    run = result.run
    # Where nothing was measured there is nothing to report beside the answer.
    report = Path(run.folder) / "report.html" if run and run.trials else None
    report_path = str((files.html or report) if report else "")
    code = INTERRUPTED if result.interrupted else result.answer.exit_code
    outputs = [
        (files.json, lambda: formats.dumps(result.answer, code)),
        (files.junit, lambda: formats.junit(result.answer)),
        (files.markdown, lambda: formats.markdown(result.answer)),
    ]
    try:
        write_and_show(outputs, lambda: show(result.answer, report_path))
    finally:
        if run is not None and report is not None:
            _write_run(run, formats.dumps(result.answer, code), [report, files.html])
        elif path := files.html:
            print(f"{path}: not written, since nothing was measured", file=sys.stderr)
    return code


def _write_run(run: RunRecord, answer: str, pages: list[Path | None]) -> None:
    from webdyno.cli.output import write
    from webdyno.report.formats.html import render_html
    from webdyno.report.formats.json_export import dumps

    folder = Path(run.folder)
    write(folder / "ab.json", answer)
    write(folder / "run.json", dumps(run))
    page = render_html(run)
    for path in pages:
        if path is not None:
            write(path, page)
